// One call is cancelled while the turns around it fail: the model is told once, and the run goes on.
import { result, run } from '@utensil/core';
import { expect, it } from 'vitest';
import { toolNamed, toolsetOf } from '../test-kit/faulty/tools.ts';
import { calls, cases, countOf, expectReplays, faultyWire, newThread, says } from '../test-kit/faulty/wire.ts';

const reason = 'It takes too long.';
const never = (): Promise<never> => new Promise<never>(() => undefined);

it.each(cases)('in the background, while the next turn waits to be asked for again: $name', async (each) => {
  let begun = 0;
  const build = toolNamed('build', {
    effects: 'write',
    execute: () => result({ output: `Build ${++begun} has begun.`, detached: { build: begun } }),
    settle: never,
  });
  await using wire = await faultyWire(each, (_body, turn) =>
    turn === 0 ? { blocks: [calls('build', { note: 'all ½ of it' })] } : { blocks: [says('So ', `it ½ is: ${turn}.`)] },
  );
  const { model, environment } = wire;
  const thread = newThread();
  const played = run({ model, environment, toolset: toolsetOf(build), thread, messages: 'Go.' });
  let callId = '';
  let isCancelled: boolean | undefined;
  wire.whileWaiting((wait) => wait === 2 && (isCancelled = played.cancel(callId, reason)));
  for await (const event of played.events()) if (event.type === 'tool-start') ({ callId } = event);
  expect([(await played.result).status, isCancelled, begun]).toEqual(['complete', true, 1]);
  const told = wire.sent().map((body) => countOf(reason, body));
  expect([told[1], told.at(-1)]).toEqual([0, 1]);
  await expectReplays(thread, { toolset: [build] });
});

it.each(cases)('under way, while its turn or the next one is truncated: $name', async (each) => {
  const begun: string[] = [];
  const cancelled: boolean[] = [];
  const slow = toolNamed('slow', {
    effects: 'write',
    timeoutMs: 0,
    execute(_input, _options, { callId }) {
      begun.push(callId);
      setImmediate(() => cancelled.push(played.cancel(callId, reason)));
      return never();
    },
  });
  const asks = { blocks: [calls('slow', { note: 'all' }), says('And ', 'I ½ wait.')] };
  await using wire = await faultyWire(each, (body) =>
    body.includes(reason) ? { blocks: [says('So ', 'it ½ is.')] } : asks,
  );
  const { model, environment } = wire;
  const thread = newThread();
  const played = run({ model, environment, toolset: toolsetOf(slow), thread, messages: 'Go.' });
  const { status, text } = await played.result;
  expect([status, text, begun.length, cancelled]).toEqual(['complete', 'So it ½ is.', 1, [true]]);
  expect(countOf(reason, wire.sent().at(-1) ?? '')).toBe(1);
  await expectReplays(thread, { toolset: [slow] });
});
