// Undo all file changes of one turn, in a real folder.

import { createFiles } from '@utensil/core';
import { searchFiles } from '@utensil/core/files';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { versionedStorage } from '@utensil/storage-versioned';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = await mkdtemp(join(tmpdir(), 'undo-a-turn-'));
await writeFile(join(folder, 'report.md'), 'The old text.\n');

const storage = versionedStorage(filesystemStorage(folder));
const files = createFiles(storage.as({ actor: 'assistant', turn: 'turn-7' }));
await files.write('/report.md', 'The new text.\n');
await files.write('/summary.md', 'New, in short.\n');
for await (const found of searchFiles(files, { text: 'new', ignoreCase: true }))
  if (found.type === 'hit') console.log(`${found.path}:${found.line}  ${found.text}`);

await storage.history.undo('turn-7'); // one commit undoes the turn's changes
console.log('Undone:', await readFile(join(folder, 'report.md'), 'utf8')); // The old text.
assert.equal(await readFile(join(folder, 'report.md'), 'utf8'), 'The old text.\n');
assert.equal(await files.stat('/summary.md'), undefined);
await rm(folder, { recursive: true });
