// Middleware around tools sees each call once, however often its turn was requested.
import { run, withToolMiddleware } from '@utensil/core';
import { expect, it } from 'vitest';
import { toolNamed, toolsetOf } from '../test-kit/faulty/tools.ts';
import { calls, cases, countOf, expectReplays, faultyWire, newThread, says } from '../test-kit/faulty/wire.ts';

const both = [calls('look', { note: 'one' }), calls('save', { note: 'two' })];

it.each([
  ...cases.map((each) => ({ ...each, at: 'in a call', blocks: [...both, calls('look', { note: 'all ½ of it' })] })),
  ...cases.map((each) => ({ ...each, at: 'behind its calls', blocks: [...both, says('And ', 'I ½ wait.')] })),
])('each call once where a turn breaks $at: $name', async ({ blocks, ...each }) => {
  const seen: string[] = [];
  const ran: string[] = [];
  const tools = ['look', 'save'].map((name) =>
    toolNamed(name, {
      effects: name === 'save' ? 'write' : 'read',
      execute: ({ note }) => (ran.push(note), `${note} is done.`),
    }),
  );
  const toolset = withToolMiddleware(toolsetOf(...tools), {
    name: 'notes',
    aroundTool: ({ input }, next) => (seen.push(input['note'] as string), next()),
  });
  await using wire = await faultyWire(each, (body) =>
    body.includes('two is done.') ? { blocks: [says('So ', 'it ½ is.')] } : { blocks },
  );
  const { model, environment } = wire;
  const thread = newThread();
  const { status } = await run({ model, environment, toolset, thread, messages: 'Go.' }).result;
  expect(status).toBe('complete');
  expect(seen.toSorted()).toEqual(ran.toSorted());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining(['one', 'two']));
  expect(countOf('two is done.', wire.sent().at(-1) ?? '')).toBe(1);
  await expectReplays(thread, { toolset: tools });
});
