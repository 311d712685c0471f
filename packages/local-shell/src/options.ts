import { UtensilError } from '@utensil/core';

/** Resource limits of commands. */
export interface ShellLimits {
  /** Maximum number of parallel commands; further ones are refused. Default: 16. */
  readonly commands: number;
  /** Time limit of a command in milliseconds; 0 for none. Default: one hour. */
  readonly lifetimeMs: number;
  /** Time for a command to end after a termination request before it is killed, in milliseconds. Default: 2,000. */
  readonly graceMs: number;
  /** Maximum characters of unread output; older output is dropped. Default: 1,000,000. */
  readonly outputCharacters: number;
  /** Maximum characters of input that a command has not read. Default: 1,000,000. */
  readonly inputCharacters: number;
  /** Maximum number of processes in a sandbox. The system does not enforce it for root. Default: 1,024. */
  readonly processes: number;
}

export interface LocalShellOptions {
  /** Working directory of commands, which they may change. */
  readonly root: string;
  /**
   * `required` (default): commands run in bubblewrap, and none run if it is missing or does not work. `none`: commands
   * can do whatever the app can.
   */
  readonly sandbox?: 'required' | 'none';
  /** True to give sandboxed commands network access. Default: false. */
  readonly network?: boolean;
  /** Further directories that sandboxed commands may change. */
  readonly writable?: readonly string[];
  /**
   * Hidden files that sandboxed commands may read: below the user's home directory, `/run` and the temporary
   * directories.
   */
  readonly readable?: readonly string[];
  /** Variables for commands, besides the few harmless ones of the app's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** True for a login shell, which reads the profiles of the system and the user. Default: true. */
  readonly login?: boolean;
  /** The shell. Default: bash, or sh if that is missing. */
  readonly shell?: string;
  /** The bubblewrap program. Default: `bwrap` on the app's PATH. */
  readonly bubblewrap?: string;
  readonly limits?: Partial<ShellLimits>;
}

const defaultLimits: ShellLimits = {
  commands: 16,
  lifetimeMs: 3_600_000,
  graceMs: 2_000,
  outputCharacters: 1_000_000,
  inputCharacters: 1_000_000,
  processes: 1_024,
};

/** In milliseconds: maximum delay of a timer. */
const longest = 2 ** 31 - 1;

/** Validates limits and applies defaults. Throws for an invalid one. */
export function limitsOf(given: Partial<ShellLimits> = {}): ShellLimits {
  const limits = { ...defaultLimits, ...given };
  for (const [name, limit] of Object.entries(limits))
    if (!Number.isInteger(limit) || limit < 0 || limit > longest)
      throw new UtensilError(
        'invalid_limit',
        `The limit "${name}" of a shell must be a whole number up to ${longest}.`,
      );
  return limits;
}
