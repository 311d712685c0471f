// A call ends in the background while requests fail: the model is told once.
import { messagesOf, result, run } from '@utensil/core';
import { expect, it } from 'vitest';
import { toolNamed, toolsetOf } from '../test-kit/faulty/tools.ts';
import { calls, cases, countOf, expectReplays, faultyWire, newThread, says } from '../test-kit/faulty/wire.ts';

const passed = 'All tests pass.';

it.each(cases)('its late result comes while a turn waits to be asked for again: $name', async (each) => {
  let pass: (said: string) => void = () => undefined;
  const built = new Promise<string>((resolve) => (pass = resolve));
  const seen = { begun: 0, settled: 0 };
  const build = toolNamed('build', {
    effects: 'write',
    execute: () => result({ output: `Build ${++seen.begun} has begun.`, detached: { build: seen.begun } }),
    settle: () => (seen.settled++, built),
  });
  await using wire = await faultyWire(each, (body, turn) =>
    turn === 0
      ? { blocks: [calls('build', { note: 'all ½ of it' })] }
      : { blocks: [says('So ', body.includes(passed) ? 'it ½ passes.' : 'it ½ builds.')] },
  );
  wire.whileWaiting((wait) => wait === 2 && pass(passed));
  const { model, environment } = wire;
  const thread = newThread();
  const played = run({ model, environment, toolset: toolsetOf(build), thread, messages: 'Go.' });
  const { status, text } = await played.result;
  expect([status, text, seen]).toEqual(['complete', 'So it ½ passes.', { begun: 1, settled: 1 }]);
  expect(countOf(passed, wire.sent().at(-1) ?? '')).toBe(1);
  const late = (await messagesOf(thread)).flatMap(({ parts }) => parts.filter(({ type }) => type === 'late-result'));
  expect(late.length).toBe(1);
  await expectReplays(thread, { toolset: [build] });
});
