// Tools come and go while requests fail: a request that is sent again has the tools of the one that failed, or says what changed.
import { createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import { callTool, findTools } from '@utensil/tool-search';
import { expect, it } from 'vitest';
import { type Body, partsOf } from '../test-kit/continuity/request-parts.ts';
import { toolNamed } from '../test-kit/faulty/tools.ts';
import { calls, cases, eventsOf, expectRepeated, faultyWire, inTurn, says } from '../test-kit/faulty/wire.ts';

const done = { blocks: [says('So ', 'it ½ is.')] };
const changes = { blocks: [calls('change', { note: 'all ½ of it' })] };

it.each(cases)('between two turns: $name', async (each) => {
  const left = [
    () => registry.register(toolNamed('late')),
    () => registry.unregister('late'),
    () => registry.unregister('gone'),
  ];
  const change = toolNamed('change', { execute: () => (left.shift()?.(), 'It is changed.') });
  const registry = createRegistry([change, toolNamed('gone')]);
  await using wire = await faultyWire(each, inTurn(changes, changes, changes, done));
  const { model, environment } = wire;
  const toolset = () => resolveToolset(registry, emptySettings, {});
  const played = run({ model, environment, toolset, messages: 'Go.' });
  expect((await played.result).status).toBe('complete');
  expectRepeated(wire, each, 4);
  const told = (await eventsOf(played)).flatMap((event) => (event.type === 'tools-changed' ? [event] : []));
  expect(told.map(({ added, removed }) => [added, removed])).toEqual([
    [['late'], []],
    [[], ['late']],
    [[], ['gone']],
  ]);
});

it.each([
  ...cases.map((each) => ({ ...each, kind: 'that is searched for', defer: true, prefix: 'kept' })),
  ...cases.map((each) => ({ ...each, kind: 'of every request', defer: false, prefix: 'broken' })),
])('a tool $kind comes while a turn waits to be asked for again: $name', async ({ defer, prefix, ...each }) => {
  const registry = createRegistry([findTools, callTool, toolNamed('rare', { defer: true })]);
  await using wire = await faultyWire(each, inTurn(done));
  wire.whileWaiting(() => registry.register(toolNamed('zebra', { defer })));
  const { model, environment } = wire;
  const toolset = () => resolveToolset(registry, emptySettings, {});
  const played = run({ model, environment, toolset, messages: 'Go.' });
  expect((await played.result).status).toBe('complete');
  const told = (await eventsOf(played)).filter(({ type }) => type === 'tools-changed');
  expect(told).toMatchObject([{ added: ['zebra'], removed: [], changed: [], prefix }]);
  const [first, second, ...more] = wire.sent().map((body) => partsOf(JSON.parse(body) as Body));
  expect([first?.rest === second?.rest, more]).toEqual([defer || each.vendor.name === 'withTextTools', []]);
});
