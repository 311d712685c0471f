// A disk that stops where a test needs it, for `--import`: nobody hears what slow-read.md is, nor that slow-write.md has
// been put in place, with the note that its commit is over. What stops is told on the standard error.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const { lstatSync, linkSync, renameSync } = fs;

/** Never settles, so that the storage waits for its disk. */
function stop(what: string): unknown {
  process.stderr.write(`stopped: ${what}\n`);
  return new Promise(() => {});
}

let isPlaced = false;

function placing(original: typeof renameSync): (...given: Parameters<typeof renameSync>) => unknown {
  return (from, to) => {
    original(from, to);
    isPlaced ||= String(to).endsWith('/slow-write.md');
    return isPlaced && String(to).endsWith('/state') ? stop('writing') : undefined;
  };
}

Object.assign(fs, {
  lstatSync: (...given: Parameters<typeof lstatSync>) =>
    String(given[0]).endsWith('/slow-read.md') ? stop('reading') : lstatSync(...given),
  linkSync: placing(linkSync),
  renameSync: placing(renameSync),
});
syncBuiltinESMExports();
