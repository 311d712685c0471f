import type { FromWorker } from './protocol.ts';
import type { StartThread } from './thread.ts';

interface ChildProcess {
  readonly connected: boolean;
  on(type: 'message', listener: (message: FromWorker) => void): void;
  on(type: 'exit' | 'error', listener: () => void): void;
  send(message: unknown, done: (error: Error | null) => void): void;
  kill(signal: 'SIGKILL'): void;
}

interface ForkOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly execArgv: readonly string[];
  readonly serialization: 'advanced';
  readonly stdio: readonly ['ignore', 'ignore', 'ignore', 'ipc'];
}

/** The part of Node.js that is used. */
interface Builtins {
  'node:child_process': { fork(program: URL, argv: readonly string[], options: ForkOptions): ChildProcess };
  'node:sea'?: { isSea(): boolean };
}

interface NodeProcess {
  readonly versions?: { readonly node?: string };
  getBuiltinModule?<Name extends keyof Builtins>(name: Name): Builtins[Name];
}

/** In MiB. What has its place outside of the heap is limited in the worker. */
const heap = 256;

const flags = [
  `--max-old-space-size=${heap}`,
  '--disallow-code-generation-from-strings', // a font of a stranger's has been a program before
];

/**
 * The way to start a process of its own, on Node.js. A worker thread would not do: if its heap is full, V8 can end the whole
 * process instead of the thread.
 */
export function childProcesses(program = ownProgram()): StartThread | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const isPage = 'document' in globalThis && 'Worker' in globalThis; // of Electron, say
  if (isPage || process?.versions?.node === undefined) return undefined;
  const { fork } = process.getBuiltinModule?.('node:child_process') ?? {};
  if (fork === undefined) return undefined;
  return (listener) => {
    // Such an app would start itself again.
    if (process.getBuiltinModule?.('node:sea')?.isSea() === true) throw new Error('a single executable has no worker');
    const child = fork(program, ['utensil-pdf-text'], {
      env: {},
      execArgv: flags,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', listener.message);
    child.on('error', listener.ended);
    child.on('exit', listener.ended);
    return {
      post: (message) => child.send(message, () => undefined), // if it cannot be sent, the child has ended
      end: () => child.kill('SIGKILL'),
    };
  };
}

/** Beside this file, as source or as built. */
function ownProgram(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
}
