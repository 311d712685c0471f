/** Terminal control sequences: colors, cursor movements, titles, links. Source: ECMA-48, sections 5.4 and 5.6 */
const sequences =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\|$)|\u001b[ -/]*[0-~]/g;

/** Final state of terminal output, without colors and overwritten lines. */
export function terminalText(output: string): string {
  const plain = output.replaceAll(sequences, '').replaceAll('\r\n', '\n');
  return plain.includes('\r') || plain.includes('\b') ? plain.split('\n').map(lastWriting).join('\n') : plain;
}

/** True if a text contains terminal controls. */
export function isForTerminal(text: string): boolean {
  return /\u001b[[\]]/.test(text);
}

function lastWriting(line: string): string {
  const shown: string[] = [];
  let column = 0;
  for (const character of line) {
    if (character === '\r') column = 0;
    else if (character === '\b') column = Math.max(0, column - 1);
    else shown[column++] = character;
  }
  return shown.join('');
}
