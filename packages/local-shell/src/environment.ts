/** Variables of the app's environment that commands inherit. All others may be secrets. */
const harmless = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'];

/** Makes programs print plainly, without pagers and password prompts. */
const plain = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

export interface EnvironmentOptions {
  readonly shell: string;
  readonly tty: boolean;
  readonly sandboxed: boolean;
  readonly more: Readonly<Record<string, string>>;
}

/** Environment of a command, derived from the app's. */
export function environmentOf(
  own: Readonly<Record<string, string | undefined>>,
  { shell, tty, sandboxed, more }: EnvironmentOptions,
): Record<string, string> {
  const kept = Object.entries(own).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && (harmless.includes(entry[0]) || isLocale(entry[0])),
  );
  return {
    ...Object.fromEntries(kept),
    ...(sandboxed && { TMPDIR: '/tmp' }),
    SHELL: shell,
    ...(tty ? { TERM: 'xterm-256color' } : plain),
    ...more,
  };
}

function isLocale(name: string): boolean {
  return /^LC_[A-Z]+$/.test(name);
}
