import { UtensilError } from '@utensil/core';

/** What commands may use up. */
export interface ShellLimits {
  /** Commands that run at the same time; one more is refused. Default 16. */
  readonly commands: number;
  /** Milliseconds that a command may run; 0: as long as it likes. Default an hour. */
  readonly lifetimeMs: number;
  /** Milliseconds that a command has to end when it is asked to, before it is killed. Default 2,000. */
  readonly graceMs: number;
  /** Characters of output that are kept until they are read; of more, the last. Default 1,000,000. */
  readonly outputCharacters: number;
  /** Characters of input that wait for a command to read them. Default 1,000,000. */
  readonly inputCharacters: number;
  /** Processes at a time in a sandbox. The system does not hold root to it. Default 1,024. */
  readonly processes: number;
}

export interface LocalShellOptions {
  /** The directory that commands begin in, and may change. */
  readonly root: string;
  /**
   * `required`, the default: commands run in bubblewrap, and none does where that is missing or cannot work. `none`: they can
   * do whatever the app can.
   */
  readonly sandbox?: 'required' | 'none';
  /** Whether commands in the sandbox reach the network. Default false. */
  readonly network?: boolean;
  /** Other directories that commands in the sandbox may change. */
  readonly writable?: readonly string[];
  /** What commands in the sandbox may read of what it hides: below the user's home directory, `/run` and the directories for temporary files. */
  readonly readable?: readonly string[];
  /** Variables for the commands, beside the few harmless ones of the app's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the shell is a login shell, which reads the profile of the system and of the user. Default true. */
  readonly login?: boolean;
  /** Default: bash, or sh where there is none. */
  readonly shell?: string;
  /** The program of bubblewrap. Default: `bwrap` of the app's PATH. */
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

/** In milliseconds: no timer waits longer. */
const longest = 2 ** 31 - 1;

/** The limits of a shell. Throws where one is no limit. */
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
