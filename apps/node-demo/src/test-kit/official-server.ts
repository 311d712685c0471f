import { join } from 'node:path';
import process from 'node:process';

const packages = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol');

/** The words that start one of the official servers. */
export function officialServer(name: 'everything' | 'filesystem' | 'memory', ...args: readonly string[]): string {
  return [process.execPath, join(packages, `server-${name}/dist/index.js`), ...args].join(' ');
}
