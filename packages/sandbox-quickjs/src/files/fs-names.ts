import type { HostFunction } from '../sandbox.ts';

/** Names of the functions behind `fs`. */
export const fsNames = [
  'fs.readFile',
  'fs.writeFile',
  'fs.exists',
  'fs.mkdir',
  'fs.readdir',
  'fs.unlink',
  'fs.rmdir',
  'fs.rename',
  'fs.stat',
] as const;

export type FsFunctions = Readonly<Record<(typeof fsNames)[number], HostFunction>>;
