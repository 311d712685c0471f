// Let a model call tools: it reads a file of the project.

import { createFiles, createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { filesystemTool } from '@utensil/tool-filesystem';
import { memoryTool } from '@utensil/tool-memory';
import assert from 'node:assert/strict';
import { modelOr } from '../model.ts';

const files = createFiles(memoryStorage());
await files.write('/notes/todo.md', 'buy milk\n');
const toolset = resolveToolset(createRegistry([filesystemTool, memoryTool]), emptySettings, { files });

const model = modelOr([
  { calls: [{ name: 'filesystem', input: { command: 'view', path: '/notes/todo.md' } }] },
  { text: 'You want to buy milk.' },
]); // or anthropic('claude-opus-5'), openai('gpt-5.6'), ollama('qwen3') …
const turn = run({ model, toolset, messages: 'What is in notes/todo.md?' });
for await (const event of turn.events()) {
  if (event.type === 'tool-start') console.log(`→ ${event.title}`);
  if (event.type === 'text-delta') process.stdout.write(event.text);
}
const { status, text } = await turn.result;
console.log();
assert.equal(status, 'complete');
assert.match(text, /milk/i);
