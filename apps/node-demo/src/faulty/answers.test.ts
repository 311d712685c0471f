// Structured answers from servers that fail: only complete ones are accepted.
import { jsonSchema, run } from '@utensil/core';
import { expect, it } from 'vitest';
import { vendors } from '../test-kit/continuity/vendors.ts';
import { toolsetOf } from '../test-kit/faulty/tools.ts';
import { calls, cases, expectRepeated, expectReplays, faultyWire, inTurn, newThread } from '../test-kit/faulty/wire.ts';

const output = jsonSchema({
  type: 'object',
  properties: { city: { type: 'string' }, sights: { type: 'array', items: { type: 'string' } } },
  required: ['city', 'sights'],
});

const place = { city: '½ of Paris', sights: ['the Louvre'] };
const whole = { blocks: [calls('final_answer', place)] };

it.each(cases)('an answer of which a part came is asked for again: $name', async (each) => {
  await using wire = await faultyWire(each, inTurn(whole));
  const { model, environment } = wire;
  const thread = newThread();
  const played = run({ model, environment, toolset: toolsetOf(), thread, output, messages: 'Where?' });
  const { status, value } = await played.result;
  expect([status, value]).toEqual(['complete', place]);
  expectRepeated(wire, each, 1);
  await expectReplays(thread, { toolset: [], output });
});

it.each(
  vendors.flatMap((vendor) =>
    [
      '{"city":"½ of Par',
      '{"city":"½ of Paris"',
      '{"city":"½ of Paris","sights":["the Lou',
      '{"city":"½ of Paris"}',
    ].map((half) => ({ vendor, name: vendor.name, half })),
  ),
)('half an answer that ends as if it were whole is not taken: $name, $half', async ({ vendor, half }) => {
  const fault = { name: 'none', isRefusal: true, play: vendor.fail.bind(vendor, { status: 529 }) };
  const halved = { blocks: [{ type: 'call', name: 'final_answer', deltas: [half] } as const] };
  await using wire = await faultyWire({ vendor, fault }, inTurn(halved, whole));
  const { model, environment } = wire;
  const { status, value, steps } = await run({ model, environment, toolset: toolsetOf(), output, messages: 'Where?' })
    .result;
  expect([status, value, steps]).toEqual(['complete', place, 2]);
});
