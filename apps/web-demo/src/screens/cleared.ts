/** Clears a field whose text has been used, unless something else was typed meanwhile. For a setter of state. */
export function cleared(used: string): (now: string) => string {
  return (now) => (now === used ? '' : now);
}
