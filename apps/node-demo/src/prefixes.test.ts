// Prefixes of requests while tools come and go: on every wire, over HTTP with the official SDKs, compared byte for byte.
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run } from '@utensil/core';
import type { RunEvent, Tool } from '@utensil/core';
import { callTool, findTools } from '@utensil/tool-search';
import { describe, expect, it } from 'vitest';
import { type Body, partsOf } from './test-kit/continuity/request-parts.ts';
import { type Vendor, serve, vendors } from './test-kit/continuity/vendors.ts';

const toolNamed = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: jsonSchema({ type: 'object', properties: {} }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

const kept = toolNamed('kept', { prompt: 'Keep.' });

/** Requests of a run whose tools change with each call of `change`, and its events about that. */
async function play(vendor: Vendor, start: readonly Tool[], changes: readonly ((registry: Registry) => void)[]) {
  const change = { type: 'call', name: 'change', deltas: ['{}'] } as const;
  const answers = [
    ...changes.map(() => ({ blocks: [change] })),
    { blocks: [{ type: 'text', deltas: ['Done.'] } as const] },
  ];
  await using server = await serve(vendor, ...answers);
  const registry = createRegistry([kept, ...start]);
  const left = [...changes];
  registry.register(toolNamed('change', { execute: () => left.shift()?.(registry) }));
  const played = run({
    model: vendor.make(server.url),
    toolset: () => resolveToolset(registry, emptySettings, {}),
    instructions: 'Be brief.',
    messages: 'Go.',
  });
  const events: RunEvent[] = [];
  for await (const event of played.events()) events.push(event);
  expect((await played.result).text).toBe('Done.');
  const bodies = server.requests
    .filter(({ path }) => path !== '/api/show')
    .map((request) => partsOf(request.json() as Body));
  return { bodies, told: events.filter((event) => event.type === 'tools-changed') };
}

type Registry = ReturnType<typeof createRegistry>;

const [rare, other] = ['rare', 'other'].map((name) => toolNamed(name, { defer: true, prompt: `Use ${name}.` })) as [
  Tool,
  Tool,
];
const search = [findTools, callTool];

describe.each(vendors)('$name', (vendor) => {
  it('is asked with the same beginning, byte for byte, while tools that are searched for come and go', async () => {
    const { bodies, told } = await play(
      vendor,
      [...search, rare],
      [
        (registry) => registry.register(other),
        (registry) => registry.unregister('rare'),
        (registry) => registry.register(toolNamed('other', { defer: true, description: 'New.' }), { override: true }),
      ],
    );
    expect(told.map(({ added, removed, changed, prefix }) => [added, removed, changed, prefix])).toEqual([
      [['other'], [], [], 'kept'],
      [[], ['rare'], [], 'kept'],
      [[], [], ['other'], 'kept'],
    ]);
    expect(bodies).toHaveLength(4);
    for (const [index, { said, rest }] of bodies.entries()) {
      const before = bodies[index - 1] ?? { said: [], rest };
      expect(rest).toBe(before.rest);
      expect(said.slice(0, before.said.length)).toEqual(before.said);
    }
  });

  it.each([
    ['comes', (registry: Registry) => registry.register(toolNamed('late'))],
    ['goes', (registry: Registry) => registry.unregister('kept')],
    ['is another', (registry: Registry) => registry.register(toolNamed('kept', { effects: 'write', description: 'New.' }), { override: true })], // prettier-ignore
    ['is the first to be searched for', (registry: Registry) => registry.register(rare)],
  ])('is asked with another beginning, and that is told, where a tool %s', async (_, change) => {
    const { bodies, told } = await play(vendor, search, [change]);
    expect(told).toMatchObject([{ prefix: 'broken' }]);
    const [first, second] = bodies.map(({ rest, said }) => `${rest}${said[0]}`);
    expect(second).not.toBe(first);
  });
});
