// Ask before a file is deleted, end the process, and take the answer in another one.

import { createFiles, createRecords, createRegistry, emptySettings, openThread, permissions } from '@utensil/core';
import { resolveToolset, resume, run } from '@utensil/core';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';
import { filesystemTool } from '@utensil/tool-filesystem';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelOr } from '../model.ts';

const [, , step, folder = await mkdtemp(join(tmpdir(), 'approve-after-a-restart-'))] = process.argv;
const storage = filesystemStorage(folder);
const files = createFiles(storage);
const toolset = resolveToolset(createRegistry([filesystemTool]), emptySettings, { files });
const options = {
  toolset,
  thread: openThread(createRecords(storage), 'tidy-up', { holder: processHolder() }),
  policy: permissions('write'),
};

if (step === 'ask') {
  const model = modelOr([{ calls: [{ name: 'filesystem', input: { command: 'delete', path: '/old.md' } }] }]);
  const turn = run({ ...options, model, messages: 'Delete /old.md.' });
  for await (const event of turn.events()) {
    if (event.type !== 'approval-request') continue;
    console.log(`Asked: “${event.title}”. Nobody answers, and this process ends.`);
    turn.stop();
  }
} else if (step === 'answer') {
  const turn = resume({ ...options, model: modelOr([{ text: '/old.md is deleted.' }]) });
  for await (const event of turn.events()) {
    if (event.type !== 'approval-request') continue;
    console.log(`Asked again: “${event.title}”. Allowed once.`);
    turn.answer(event.questionId, 'once');
  }
  console.log((await turn.result).text);
} else {
  await files.write('/old.md', 'Nobody needs this.\n');
  another('ask');
  assert.notEqual(await files.stat('/old.md'), undefined);
  another('answer');
  assert.equal(await files.stat('/old.md'), undefined);
  await rm(folder, { recursive: true });
}

/** Runs this program in a process of its own. */
function another(step: string): void {
  const program = [...process.execArgv, import.meta.filename, step, folder];
  assert.equal(spawnSync(process.execPath, program, { stdio: 'inherit' }).status, 0);
}
