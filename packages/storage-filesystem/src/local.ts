import * as fs from 'node:fs';
import { promisify } from 'node:util';
import type { FileSystem, OpenFile } from './file-system.ts';

// A call on a local disk that moves a few pages takes 2 to 30 microseconds; the thread pool adds 40 to 60, and a commit
// makes ten of them. So short calls are synchronous. Slow ones are not: larger contents, and syncs.

/** Contents up to this size are read and written synchronously. */
const largestAtOnce = 64 * 1024;

const later = {
  read: promisify(fs.read),
  writeFile: promisify(fs.writeFile),
  sync: promisify(fs.fsync),
};

/** The local disk. */
export const localDisk: FileSystem = {
  access: fs.accessSync,
  chmod: fs.chmodSync,
  link: fs.linkSync,
  lstat: (path) => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  mkdir: fs.mkdirSync,
  open,
  readdir: fs.readdirSync,
  readFile: fs.readFileSync,
  readlink: (path) => fs.readlinkSync(path),
  realpath: (path) => fs.realpathSync.native(path),
  rename: fs.renameSync,
  rmdir: (path) => fs.rmdirSync(path),
  symlink: (target, path) => fs.symlinkSync(target, path),
  unlink: fs.unlinkSync,
  writeFile: fs.writeFileSync,
};

function open(path: string, flags: string | number, mode?: number): OpenFile {
  const descriptor = fs.openSync(path, flags, mode);
  return {
    fd: descriptor,
    stat: (options) => fs.fstatSync(descriptor, options),
    read: (buffer, options) =>
      options.length > largestAtOnce
        ? later.read(descriptor, buffer, options.offset, options.length, options.position)
        : { bytesRead: fs.readSync(descriptor, buffer, options) },
    writeFile: (content) =>
      content.length > largestAtOnce ? later.writeFile(descriptor, content) : fs.writeFileSync(descriptor, content),
    sync: () => later.sync(descriptor),
    close: () => fs.closeSync(descriptor),
  };
}
