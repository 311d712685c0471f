/** The part of Node.js that is used. */
export interface WatchedProcess {
  readonly ppid: number;
  getBuiltinModule(name: 'node:worker_threads'): {
    Worker: new (source: string, options: { readonly eval: true; readonly workerData: unknown }) => { unref(): void };
  };
}

export interface WatchOptions {
  /** Memory that the process may take, in bytes. */
  readonly bytes: number;
  /** Process without which this one has nothing to do. */
  readonly parent: number;
}

/** On Windows a process keeps the parent id that it began with, so the parent is looked for as well. */
const source = `
  const { bytes, parent } = require('node:worker_threads').workerData;
  const isOrphan = () => {
    try {
      return process.ppid !== parent || !process.kill(parent, 0);
    } catch ({ code }) {
      return code === 'ESRCH';
    }
  };
  setInterval(() => {
    if (process.memoryUsage.rss() > bytes || isOrphan()) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

/** Kills this process if it takes too much memory, or if its parent ends. A thread watches, because a busy parser blocks its own. */
export function watchProcess(process: WatchedProcess, options: WatchOptions): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  new Worker(source, { eval: true, workerData: options }).unref();
}
