/** The part of Node.js that is used. */
export interface WatchedProcess {
  readonly pid: number;
  readonly ppid: number;
  getBuiltinModule(name: 'node:worker_threads'): {
    Worker: new (source: string, options: { readonly eval: true; readonly workerData: unknown }) => { unref(): void };
  };
}

const source = `
  const { bytes, parent } = require('node:worker_threads').workerData;
  setInterval(() => {
    if (process.memoryUsage.rss() > bytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

/**
 * Ends this process if it takes more memory than this, or if its host has ended. It looks from a thread of its own, because a parser
 * that is at work lets nothing else have its turn.
 */
export function watchMemory(process: WatchedProcess, bytes: number): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  new Worker(source, { eval: true, workerData: { bytes, parent: process.ppid } }).unref();
}
