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
  readonly windowsHide: true;
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

/** In MiB. The worker limits what it allocates outside of the heap. */
const heap = 256;

const flags = [
  `--max-old-space-size=${heap}`,
  '--disallow-code-generation-from-strings', // CVE-2024-4367: a font ran as code in pdf.js
];

/**
 * Starter of child processes; undefined outside of Node.js. A worker thread is not enough: if its heap is full, V8 can end the
 * whole process instead of the thread.
 */
export function childProcesses(program?: URL): StartThread | undefined {
  const { process } = globalThis as { readonly process?: NodeProcess };
  const isPage = 'document' in globalThis && 'Worker' in globalThis; // of Electron, say
  if (isPage || process?.versions?.node === undefined) return undefined;
  const { fork } = process.getBuiltinModule?.('node:child_process') ?? {};
  if (fork === undefined) return undefined;
  return (listener) => {
    if (process.getBuiltinModule?.('node:sea')?.isSea() === true)
      throw new Error('a single executable would start itself');
    const child = fork(program ?? ownProgram(), ['utensil-pdf-text'], {
      env: {},
      execArgv: flags,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true,
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

/** Next to this file, in source and build. Throws if a bundler has left no `import.meta.url`. */
function ownProgram(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
}
