/** As much of the platform as a warning needs, where it has that. */
interface Platform {
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } };
  readonly console?: { warn(text: string): void };
}

const written = new Set<string>();

/** Writes a text to the console, once in the life of the program, and only if `NODE_ENV` is `development`. */
export function warnInDevelopment(text: string): void {
  const { process, console } = globalThis as Platform;
  if (process?.env?.['NODE_ENV'] !== 'development' || written.has(text)) return;
  written.add(text);
  console?.warn(text);
}
