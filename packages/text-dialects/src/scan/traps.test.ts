import { expect, it } from 'vitest';
import { callsIn, cut, merged, partsOf, textIn } from '../test-kit/text-model.ts';
import { traps, trapTools } from '../test-kit/traps.ts';

const cases = Object.entries(traps).flatMap(([id, all]) => all.map(([text, calls]) => [id, text, calls] as const));

it.each(cases)('a turn of %s runs what is certain, and tells what is not: %j', async (id, text, expected) => {
  const asked = { id, request: { tools: trapTools } };
  const parts = merged(await partsOf([text], asked));
  const calls = callsIn(parts).map(({ name, input, invalidInput }) =>
    invalidInput === undefined ? name + JSON.stringify(input) : `${name}!`,
  );
  expect(calls).toEqual(expected);
  expect(expected.length > 0 ? textIn(parts) : '').not.toMatch(/[<[|{]/); // no markup is shown
  for (const size of [1, 3]) expect(merged(await partsOf(cut(text, size), asked))).toEqual(parts);
});
