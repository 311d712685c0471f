import { defineTool, messageOf, result, host } from '@utensil/core';
import type { ShellCommand } from '@utensil/core';
import * as z from 'zod/mini';
import { follow } from './follow.ts';
import { visible } from './plain-text.ts';
import { hasFailed, reportOf, statusOf } from './texts.ts';
import { yieldTime } from './yield-time.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    session_id: z.string().check(z.describe('The session, as returned by execute_command.')),
    chars: z.optional(
      z
        .string()
        .check(
          z.describe(
            'What to write, with \\n for Enter. \\u0003 interrupts the command, \\u0004 ends its input. Default: nothing, to wait for more output.',
          ),
        ),
    ),
    yield_time_ms: z.optional(
      z
        .int()
        .check(
          z.describe(
            'Milliseconds to wait for output and the end: with chars up to 30000, default 1000; without up to 300000, default 10000.',
          ),
        ),
    ),
    stop: z.optional(z.boolean().check(z.describe('Stops the command and everything it has started. Default false.'))),
  }),
);

/**
 * Writes to a running command of {@link executeCommandTool}, waits for its output, or stops it. Off until the user
 * enables it.
 *
 * @example
 * ```ts no-run
 * import { runTool } from '@utensil/core';
 * import { localShell } from '@utensil/local-shell';
 * import { executeCommandTool, writeStdinTool } from '@utensil/tool-workspace';
 *
 * const host = { shell: localShell({ root: './project' }) };
 * const { output } = await runTool(executeCommandTool, { command: 'cat', yield_time_ms: 250 }, { host });
 * const session = /Session: (.*)/.exec(String(output))?.[1] ?? '';
 * await runTool(writeStdinTool, { session_id: session, chars: 'hello\n\u0004' }, { host });
 * ```
 */
export const writeStdinTool = /* @__PURE__ */ defineTool({
  name: 'write_stdin',
  title: 'Input of a command',
  description:
    'Writes to the input of a command running in a session and returns its new output. Without chars, waits for more output or the end.',
  input,
  ui: { subtitle: 'Writes to running commands', icon: '⌨️', category: 'code' },
  defaultEnabled: false,
  effects: ({ chars = '', stop = false }) => (chars === '' && !stop ? 'read' : 'destructive'),
  openWorld: true,
  requires: { shell: host.shell },
  timeoutMs: 0, // the session continues
  outputLimit: 30_000,
  preview: ({ session_id, chars = '', stop = false }, _, { host }) => ({
    type: 'command-input',
    command: visible(host.shell.find(session_id)?.command ?? ''),
    input: visible(chars),
    stop,
  }),
  async execute({ session_id, chars = '', yield_time_ms, stop = false }, _, { host, signal, progress, now }) {
    const command = host.shell.find(session_id);
    if (command === undefined)
      return result({
        output: `No command runs in session "${session_id}": it has ended and was reported, or never existed.`,
        isError: true,
      });
    const problem = await send(command, chars).catch(messageOf);
    if (stop) await command.kill();
    const ms = yieldTime(chars === '' ? 'poll' : 'write', yield_time_ms);
    const followed = await follow(command, { signal, ms, progress });
    const report = reportOf(command, followed, now());
    return result({
      output: problem === undefined ? report : `Not written: ${problem}\n${report}`,
      isError: problem !== undefined || (hasFailed(followed.exit) && !stop),
    });
  },
  render: {
    title: ({ chars, stop }) =>
      stop === true
        ? 'Stop the command'
        : typeof chars === 'string' && chars !== ''
          ? visible(chars)
          : 'Wait for output',
    status: (output) => statusOf(String(output)),
  },
});

/** A terminal interprets the two keys; a pipe does not. */
async function send(command: ShellCommand, chars: string): Promise<undefined> {
  if (command.tty) {
    if (chars !== '') await command.write(chars);
    return;
  }
  for (const piece of chars.split(/([\u0003\u0004])/)) {
    if (piece === '\u0003') await command.interrupt();
    else if (piece === '\u0004') await command.end();
    else if (piece !== '') await command.write(piece);
  }
}
