// Rules over servers that fail: what a denied tool would do is never done, however much of its call has come.
import { run } from '@utensil/core';
import { guard, rulesPolicy } from '@utensil/core/guard';
import { expect, it } from 'vitest';
import { cutting } from '../test-kit/faulty/faults.ts';
import { vendors } from '../test-kit/continuity/vendors.ts';
import { toolNamed, toolsetOf } from '../test-kit/faulty/tools.ts';
import {
  calls,
  cases,
  countOf,
  expectRepeated,
  expectReplays,
  faultyWire,
  inTurn,
  newThread,
  says,
} from '../test-kit/faulty/wire.ts';

const reason = 'Nothing is wiped here.';

/** A tool that is denied and one that is allowed, and their inputs. */
function guarded() {
  const given: unknown[] = [];
  const tools = ['wipe', 'save'].map((name) =>
    toolNamed(name, { effects: 'write', execute: (input) => (given.push([name, input]), `${name} is done.`) }),
  );
  const policy = rulesPolicy({
    user: [{ decision: 'deny', tool: 'wipe', reason }],
    project: [{ decision: 'allow', tool: 'save' }],
  });
  return { given, tools, toolset: guard(toolsetOf(...tools), { policy }) };
}

const denied = { blocks: [says('I wipe.'), calls('wipe', { note: 'all ½ of it' })] };
const allowed = { blocks: [calls('save', { note: 'all ½ of it' })] };
const done = { blocks: [says('So ', 'it ½ is.')] };

it.each(cases)('a denied call never runs, and its denial is told once: $name', async (each) => {
  const { given, tools, toolset } = guarded();
  await using wire = await faultyWire(each, inTurn(denied, allowed, done));
  const { model, environment } = wire;
  const thread = newThread();
  const { status, text } = await run({ model, environment, toolset, thread, messages: 'Go.' }).result;
  expect([status, text]).toEqual(['complete', 'So it ½ is.']);
  expect(given).toEqual([['save', { note: 'all ½ of it' }]]);
  expectRepeated(wire, each, 3);
  const [, , second = '', , third = ''] = wire.sent();
  expect([countOf(reason, second), countOf('save is done.', second), countOf('save is done.', third)]).toEqual([
    1, 0, 1,
  ]);
  await expectReplays(thread, { toolset: tools });
});

it.each(vendors)('no partial call runs, wherever $name is truncated', async (vendor) => {
  const both = { blocks: [...denied.blocks, ...allowed.blocks] };
  const pieces = 16;
  for (let piece = 1; piece < pieces; piece++) {
    const { given, toolset } = guarded();
    const end = piece % 2 === 0 ? 'end' : 'destroy';
    const fault = cutting((length) => Math.floor((length * piece) / pieces), end);
    const script = (body: string) => (body.includes('save is done.') ? done : both);
    await using wire = await faultyWire({ vendor, fault }, script);
    const { model, environment } = wire;
    const { status } = await run({ model, environment, toolset, messages: 'Go.' }).result;
    expect([piece, status, given]).toEqual([piece, 'complete', [['save', { note: 'all ½ of it' }]]]);
  }
});
