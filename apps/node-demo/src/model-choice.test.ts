import { loopback } from '@utensil/tooling-loopback';
import { expect, it } from 'vitest';
import { createSession } from './session.ts';
import { temporaryFolder } from './test-kit/spawn-demo.ts';
import { openWorkspace } from './workspace.ts';

const ndjson = { 'content-type': 'application/x-ndjson' };
const answer = (content: string): string =>
  [
    { message: { role: 'assistant', content }, done: false },
    { message: { content: '' }, done: true, done_reason: 'stop' },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

it('has a model that takes no tools call them in text at once, and says in which dialect', async () => {
  await using folder = await temporaryFolder();
  const texts = [
    '<|tool_call>call:filesystem{command:<|"|>create<|"|>,file_text:<|"|>milk<|"|>,path:<|"|>/a.md<|"|>}<tool_call|>',
    'It is written.',
  ];
  await using server = await loopback(({ json }) =>
    'tools' in (json() as object)
      ? { status: 400, body: JSON.stringify({ error: 'registry.ollama.ai/library/gemma4 does not support tools' }) }
      : { headers: ndjson, body: answer(texts.shift() ?? '') },
  );
  const told: string[] = [];
  const workspace = await openWorkspace(folder.path);
  const session = createSession({
    workspace,
    env: {},
    baseUrl: server.url,
    model: 'ollama:gemma4',
    yes: true,
    interactive: false,
    warn: () => {},
    tell: (text) => told.push(text),
  });
  const { text } = await session.send('Write milk into a.md.')(new AbortController().signal).result;
  expect(text).toBe('It is written.');
  expect(told).toEqual(['gemma4 takes no tools of its own: it calls them in text, in the dialect gemma.']);
  expect(await workspace.files().readText('/a.md')).toMatchObject({ text: 'milk' });
});
