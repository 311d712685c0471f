/** A command to run in a shell. */
export interface ShellRequest {
  /** A command line, as a person would type it. */
  readonly command: string;
  /** The working directory, relative to that of the shell. Default: the shell's. */
  readonly cwd?: string;
  /** True if it talks to a terminal. Default false: to pipes. */
  readonly tty?: boolean;
}

/** The end of a command: an exit code, or a signal. */
export interface ShellExit {
  readonly code?: number;
  readonly signal?: string;
  /** Why the host ended it, where that was the host. */
  readonly reason?: string;
}

/** The output of a command since the last read. */
export interface ShellOutput {
  /** Standard output and standard error in the order of their coming, with whatever controls a terminal. */
  readonly text: string;
  /** Number of characters dropped before `text`, because they were not read in time. */
  readonly dropped: number;
  /** It has ended, and this is all. */
  readonly exit?: ShellExit;
}

/** A command that was started. It is over when its shell is: nothing that it has started outlives it. */
export interface ShellCommand {
  /** Names it in {@link Shell.find}. */
  readonly id: string;
  /** The command line. */
  readonly command: string;
  readonly tty: boolean;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The output that nobody has read: as soon as there is any, at the end, or when the signal fires. Never throws. */
  read(signal: AbortSignal): Promise<ShellOutput>;
  /** Writes to its input. Throws where that is closed, or full. */
  write(text: string): Promise<void>;
  /** Closes its input. */
  end(): Promise<void>;
  /** Asks it to end, as Ctrl-C does. */
  interrupt(): Promise<void>;
  /** Ends it with all that it has started, and waits for that. */
  kill(): Promise<void>;
}

/** A shell of the host. It keeps the commands that run. */
export interface Shell {
  /** The isolation of commands from the rest of the machine, in words for people and models; undefined if there is none. */
  readonly sandbox: string | undefined;
  /** Throws where the command cannot be started: there is no sandbox though it should have one, or too many are running. */
  start(request: ShellRequest): Promise<ShellCommand>;
  /** A command that runs, or whose end nobody has read. */
  find(id: string): ShellCommand | undefined;
}
