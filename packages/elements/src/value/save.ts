/** Gives the person a text as a file. */
export function saveText(text: string, name: string): void {
  saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), name);
}

/** Gives the person a file. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // browsers begin to read it later
}
