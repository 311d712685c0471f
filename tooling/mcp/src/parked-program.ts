import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  answerQuestion,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  hmacSeals,
  jsonSchema,
  openQuestions,
  openThread,
  resolveToolset,
  resume,
  run,
} from '@utensil/core';
import type { RunEvent } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { mcpSource } from '@utensil/interop-mcp/client';
import { stdioServer } from '@utensil/interop-mcp/node';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';

// A process of an app whose model uses a server of MCP and a tool of the app in one turn: `node parked-program.ts <folder> <tool> [answer]`.
// Calls of `tool` are asked about. Without an answer it begins, parks and waits to be killed; with one it answers and goes on.

const [folder = '', asked = '', answer] = process.argv.slice(2);
const notes = join(folder, 'notes');
const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'));

const log = defineTool({
  name: 'log',
  description: 'Writes a line to the log.',
  input: jsonSchema<{ line: string }>({
    type: 'object',
    properties: { line: { type: 'string' } },
    required: ['line'],
  }),
  effects: 'write',
  execute: async ({ line }) => {
    await appendFile(join(folder, 'log.txt'), `${line}\n`);
    return 'logged';
  },
});

const source = mcpSource(stdioServer({ command: process.execPath, args: [program, notes] }));
const registry = createRegistry([log]);
await registry.mount(source, { namespace: 'files' }).ready;

const seals = hmacSeals(new Uint8Array(32).fill(7)); // an app keeps a key of its own
const thread = openThread(createRecords(filesystemStorage(join(folder, 'data'))), 'chat', { holder: processHolder() });
const options = {
  toolset: () => resolveToolset(registry, emptySettings, {}),
  thread,
  seals,
  policy: ({ name }: { readonly name: string }) => (name === asked ? 'ask' : 'allow'),
  questions: { parkAfterMs: 0 },
} as const;

const edit = { path: join(notes, 'todo.txt'), edits: [{ oldText: 'milk', newText: 'milk, milk' }] };
const calls = [
  { name: 'files_edit_file', input: edit },
  { name: 'log', input: { line: 'bought' } },
].sort(({ name }) => (name === asked ? 1 : -1)); // the other one has run when the process is killed

async function tell(events: AsyncIterable<RunEvent>): Promise<void> {
  for await (const event of events)
    if (event.type === 'tool-end') process.stdout.write(`ran ${event.name} ${String(event.result.isError)}\n`);
}

if (answer === undefined) {
  const { result, events } = run({ ...options, model: scriptedModel([{ calls }]), messages: 'Note it.' });
  await tell(events());
  process.stdout.write(`${(await result).status}\n`);
  setInterval(() => undefined, 1_000); // until it is killed
} else {
  const [question] = await openQuestions(thread);
  await answerQuestion(thread, { questionId: question?.id ?? '', answer: answer as 'once' | 'deny', seals });
  const { result, events } = resume({ ...options, model: scriptedModel([{ text: 'All is noted.' }]) });
  await tell(events());
  const { status, text } = await result;
  process.stdout.write(`${question?.name} ${status} ${text}\n`);
  await source.close();
}
