// The usual tool of several actions, whose input is a union of objects: told, called and answered over every wire.
import { type Tool, defineTool, result, run } from '@utensil/core';
import { type Loopback, loopback } from '@utensil/tooling-loopback';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { replyAt, serveEach, vendors } from './test-kit/continuity/vendors.ts';
import { toolsetOf } from './test-kit/faulty/tools.ts';
import { calls, eventsOf, says } from './test-kit/faulty/wire.ts';

const write = z.object({ action: z.literal('write'), path: z.string(), text: z.string() });
const list = z.object({ action: z.literal('list'), folder: z.string().optional() });
const unions = {
  'z.discriminatedUnion': z.discriminatedUnion('action', [write, list]),
  'z.union': z.union([write, list]),
  'a union in a union': z.union([z.discriminatedUnion('action', [write]), z.union([list])]),
};
const cases = vendors.flatMap((vendor) => Object.entries(unions).map(([name, input]) => ({ vendor, name, input })));

function filesTool(input: z.ZodType<z.output<typeof write> | z.output<typeof list>>, ran: unknown[]): Tool {
  return defineTool({
    name: 'files',
    description: 'Works on files.',
    input,
    effects: ({ action }) => (action === 'write' ? 'write' : 'read'),
    execute(given) {
      ran.push(given);
      return result({ output: given.action === 'write' ? `${given.path} is written.` : 'There is one file.' });
    },
  });
}

describe.each(cases)('$name over $vendor.name', ({ vendor, input }) => {
  it('is told, called by each of its forms, and refused with the field that is missing', async () => {
    const ran: unknown[] = [];
    const turns = [
      { blocks: [calls('files', { action: 'write', path: 'a.md', text: 'A' }), calls('files', { action: 'list' })] },
      { blocks: [calls('files', { action: 'write', path: 'b.md' })] },
      { blocks: [says('Done.')] },
    ];
    let turn = 0;
    await using server = await serveEach(vendor, () => replyAt(vendor, turns[turn] ?? { blocks: [] }, turn++));
    const played = run({ model: vendor.make(server.url), toolset: toolsetOf(filesTool(input, ran)), messages: 'Go.' });
    const { status, text } = await played.result;
    expect([status, text]).toEqual(['complete', 'Done.']);
    expect(ran).toEqual([{ action: 'write', path: 'a.md', text: 'A' }, { action: 'list' }]);
    expect(server.requests.map(({ path }) => path).filter((path) => path !== '/api/show')).toHaveLength(3);
    const [first = '', second = '', third = ''] = bodies(server);
    for (const said of [/Input is one of|(?:any|one)Of/, /folder/, /path/]) expect(first).toMatch(said);
    expect(second).toContain('a.md is written.');
    expect(second).toContain('There is one file.');
    expect(third).toMatch(
      /\btext\b.{0,80}\b(?:missing|required|absent|needed|expected)\b|\b(?:missing|required|expected)\b.{0,80}\btext\b/i,
    );
    const kinds = (await eventsOf(played)).map(({ type }) => type);
    expect(kinds).not.toContain('tool-unavailable');
  });
});

it.each(vendors.filter(({ name }) => name !== 'withTextTools'))(
  '$name would reject the original union',
  async (vendor) => {
    await using server = await loopback(() => replyAt(vendor, { blocks: [says('Done.')] }, 0));
    await run({ model: vendor.make(server.url), toolset: toolsetOf(filesTool(unions['z.union'], [])), messages: 'Go.' })
      .result;
    const [body = '{}'] = bodies(server);
    expect(vendor.refuse(JSON.parse(body))).toBeUndefined();
    const raw = JSON.parse(body, (_, value: unknown) => (isSchema(value) ? { anyOf: [value] } : value)) as unknown;
    expect(JSON.stringify(raw)).not.toBe(body);
    expect(vendor.refuse(raw)).toBeDefined();
  },
);

/** The schema of the tool, wherever a vendor has it. */
function isSchema(value: unknown): boolean {
  const properties =
    typeof value === 'object' && value !== null && 'properties' in value ? value.properties : undefined;
  return typeof properties === 'object' && properties !== null && 'action' in properties;
}

function bodies({ requests }: Loopback): readonly string[] {
  return requests.filter(({ path }) => path !== '/api/show').map(({ body }) => body);
}
