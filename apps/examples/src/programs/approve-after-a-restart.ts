// Ask before a file is deleted, end the process, and take the answer in another one.

import { answerQuestion, createFiles, createRecords, createRegistry, emptySettings, hmacSeals } from '@utensil/core';
import { openQuestions, openThread, permissions, resolveToolset, resume, run } from '@utensil/core';
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
const thread = openThread(createRecords(storage), 'tidy-up', { holder: processHolder() });
const seals = hmacSeals(new TextEncoder().encode('in an app, 32 random bytes that it keeps')); // so that nobody forges a yes
const options = { toolset, thread, seals, policy: permissions('write'), questions: { parkAfterMs: 0 } };

if (step === 'ask') {
  const model = modelOr([{ calls: [{ name: 'filesystem', input: { command: 'delete', path: '/old.md' } }] }]);
  const { status } = await run({ ...options, model, messages: 'Delete /old.md.' }).result;
  assert.equal(status, 'needs-approval'); // it waits in the thread, and this process ends
} else if (step === 'answer') {
  for (const { id, title } of await openQuestions(thread)) {
    console.log(`Asked before the restart: “${title}”. Allowed once.`);
    await answerQuestion(thread, { questionId: id, answer: 'once', seals });
  }
  const turn = resume({ ...options, model: modelOr([{ text: '/old.md is deleted.' }]) });
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
