/** A command to run in a shell. */
export interface ShellRequest {
  /** A command line, as a person would type it. */
  readonly command: string;
  /** Working directory, relative to the shell's. Default: the shell's. */
  readonly cwd?: string;
  /** True to run in a terminal. Default: false, with pipes. */
  readonly tty?: boolean;
}

/** End of a command: an exit code, or a signal. */
export interface ShellExit {
  readonly code?: number;
  readonly signal?: string;
  /** Reason, if the host ended it. */
  readonly reason?: string;
}

/** The output of a command since the last read. */
export interface ShellOutput {
  /** Standard output and error, interleaved as they arrived, including terminal control sequences. */
  readonly text: string;
  /** Number of characters dropped before `text`, because they were not read in time. */
  readonly dropped: number;
  /** True if the command has ended, and this is the rest. */
  readonly exit?: ShellExit;
}

/** A started command. Nothing that it started outlives it. */
export interface ShellCommand {
  /** Id for {@link Shell.find}. */
  readonly id: string;
  /** The command line. */
  readonly command: string;
  readonly tty: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Unread output: resolves once there is some, at the end, or when the signal fires. Never throws. */
  read(signal: AbortSignal): Promise<ShellOutput>;
  /** Writes to its standard input. Throws if that is closed or full. */
  write(text: string): Promise<void>;
  /** Closes its standard input. */
  end(): Promise<void>;
  /** Interrupts it, as Ctrl-C does. */
  interrupt(): Promise<void>;
  /** Kills it with everything that it started, and waits for the end. */
  kill(): Promise<void>;
}

/** A shell of the host. Keeps track of running commands. */
export interface Shell {
  /** Description of the isolation of commands, for people and models; undefined if there is none. */
  readonly sandbox: string | undefined;
  /**
   * Starts a command. Throws if it cannot be started: a required sandbox is missing, or too many commands are running.
   */
  start(request: ShellRequest): Promise<ShellCommand>;
  /** A command that is running, or whose end has not been read. */
  find(id: string): ShellCommand | undefined;
}
