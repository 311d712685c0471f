/** The parts of the platform that a warning needs, if they exist. */
interface Platform {
  readonly process?: { readonly env?: { readonly [name: string]: string | undefined } };
  readonly console?: { warn(text: string): void };
}

const written = new Set<string>();

/** Warns on the console, once per process and text, and only if `NODE_ENV` is `development`. */
export function warnInDevelopment(text: string): void {
  const { process, console } = globalThis as Platform;
  if (process?.env?.['NODE_ENV'] !== 'development' || written.has(text)) return;
  written.add(text);
  console?.warn(text);
}
