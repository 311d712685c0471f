import * as fs from 'node:fs';
import { promisify } from 'node:util';
import type { FileSystem, OpenFile } from './file-system.ts';

// A call on a local disk that moves no more than some pages takes 2 to 30 microseconds; by way of the thread pool the
// same call takes 40 to 60 more, and a commit is ten of them. So these are made at once, and what takes long is not:
// contents of more than a few pages, and waiting for the disk itself.

/** Contents up to this size are read and written at once. */
const largestAtOnce = 64 * 1024;

const later = {
  read: promisify(fs.read),
  writeFile: promisify(fs.writeFile),
  sync: promisify(fs.fsync),
};

/** The disk of this machine. */
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
