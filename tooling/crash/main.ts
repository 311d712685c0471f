// A program to be killed: it commits one change after another, and reports when each begins and ends. Its parent waits
// for a report, kills it, and inspects the result. Standard input says where to write, and the number to continue with:
//
// echo '{"root": "/tmp/root", "number": 1}' | node main.mjs storage.mjs

import { writeSync } from 'node:fs';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { changesOf } from './changes.ts';
import type { Storage } from './changes.ts';

const { filesystemStorage } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as {
  filesystemStorage(root: string): Storage;
};
const { root, number: first } = (await json(process.stdin)) as { readonly root: string; readonly number: number };
const storage = filesystemStorage(root);

for (let number = first; ; number++) {
  writeSync(1, number === first ? `begin ${number}\n` : `done ${number - 1}\nbegin ${number}\n`);
  const { ok } = await storage.commit({ expect: [], changes: changesOf(number), time: Date.now() });
  if (!ok) throw new Error(`Commit ${number} met a conflict.`);
}
