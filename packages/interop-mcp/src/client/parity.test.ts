import {
  createRecords,
  createRegistry,
  memoryThread,
  openSettings,
  permissions,
  resolveToolset,
  run,
} from '@utensil/core';
import type { JsonSchema, Registry, Tool } from '@utensil/core';
import { withEnabled } from '@utensil/core/settings';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { serveMcpHttp } from '../node/index.ts';
import type { McpHttpServer as Served } from '../node/index.ts';
import { tool, toolsetOf } from '../test-kit/served.ts';
import { mounted } from '../test-kit/sources.ts';
import { mcpSource } from './index.ts';

const serve = (...tools: readonly Tool[]): Promise<Served> =>
  serveMcpHttp(toolsetOf(tools), { name: 'test', version: '1' });
const namesIn = (registry: Registry): readonly string[] => registry.list().map(({ name }) => name);

describe('servers that come and go', () => {
  it('[A4-04] bring and take their own tools alone, and choices about them stay', async () => {
    const settings = await openSettings(createRecords(memoryStorage()), 'default');
    const registry = createRegistry([tool('own')]);
    const [one, two] = await Promise.all([serve(tool('read'), tool('own')), serve(tool('read'), tool('write'))]);
    const first = registry.mount(mcpSource({ url: one.url }), { namespace: 'one' });
    await first.ready;
    const second = registry.mount(mcpSource({ url: two.url }), { namespace: 'two' });
    await second.ready;
    expect(namesIn(registry)).toEqual(['own', 'one_own', 'one_read', 'two_read', 'two_write']); // no two of them share one
    settings.change((before) => withEnabled(before, registry.get('two_read') as Tool, false));

    await second.unmount();
    expect(namesIn(registry)).toEqual(['own', 'one_own', 'one_read']);
    settings.change((before) => withEnabled(before, registry.get('one_read') as Tool, true));
    const again = registry.mount(mcpSource({ url: two.url }), { namespace: 'two' });
    await again.ready;
    const toolset = resolveToolset(registry, settings.current(), {});
    expect(toolset.definitions({ api: 'test' }).map(({ name }) => name)).toEqual([
      'one_own',
      'one_read',
      'own',
      'two_write',
    ]);
    await Promise.all([first.unmount(), again.unmount()]);
    expect(namesIn(registry)).toEqual(['own']);
    await Promise.all([one.close(), two.close()]);
  });
});

describe('what servers say of their tools', () => {
  const reads = tool('look', { effects: 'read', openWorld: false });
  const script = [{ calls: [{ name: 'x_look' }] }, {}];

  /** Outcome of a run that calls a tool annotated as read-only. */
  async function ends(tier: Parameters<typeof permissions>[0], trusted: boolean): Promise<string> {
    const server = await serve(reads);
    const { toolset, unmount } = await mounted({ url: server.url }, {}, { trusted });
    const { result } = run({
      model: scriptedModel(script),
      toolset: toolset(),
      messages: 'Look.',
      policy: permissions(tier),
      thread: memoryThread('t'),
      questions: { parkAfterMs: 0 },
    });
    const { status } = await result;
    await unmount();
    await server.close();
    return status === 'complete' ? 'ran' : 'asked';
  }

  it.each([
    ['write', true, 'ran'],
    ['write', false, 'asked'], // annotations of an untrusted server loosen nothing
    ['outward', true, 'ran'],
    ['outward', false, 'asked'],
    ['bypass', false, 'ran'],
  ] as const)(
    '[D2-07] counts for permissions: under %s, of a server that is trusted (%s), a reading tool %s',
    async (tier, trusted, how) => {
      expect(await ends(tier, trusted)).toBe(how);
    },
  );

  it('keeps all four hints of a trusted server, and only unfavorable ones of an untrusted server', async () => {
    const server = await serve(tool('note', { effects: 'write', idempotent: true, openWorld: false }));
    const trusted = await mounted({ url: server.url }, {}, { trusted: true });
    expect(trusted.registry.get('x_note')).toMatchObject({
      effects: 'write',
      idempotent: true,
      openWorld: false,
      foreign: true,
    });
    const stranger = await mounted({ url: server.url });
    expect(stranger.registry.get('x_note')).toMatchObject({ effects: 'destructive', openWorld: true, foreign: true });
    expect(stranger.registry.get('x_note')?.idempotent).toBeUndefined();
    await Promise.all([trusted.unmount(), stranger.unmount()]);
    await server.close();
  });
});

describe('schemas of servers', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 },
      nothing: { type: 'null' },
      untyped: { description: 'anything' },
      choice: { enum: ['a', 1, null, { deep: true }] },
      constant: { const: [1, 2] },
      many: { type: ['string', 'null'], minLength: 2, pattern: '^a' },
      nested: {
        type: 'object',
        properties: { list: { type: 'array', items: { $ref: '#/$defs/item' }, minItems: 1, uniqueItems: true } },
        required: ['list'],
      },
      either: { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], items: false },
    },
    required: ['count'],
    patternProperties: { '^x-': { type: 'boolean' } },
    additionalProperties: false,
    dependentRequired: { many: ['choice'] },
    if: { required: ['nothing'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['untyped'] },
    $defs: { item: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/item' } } } } },
  };

  it('[D4-04] reach the model whole, and each of their keywords is checked', async () => {
    const { mcpHandler } = await import('../server/index.ts');
    const { jsonSchema } = await import('@utensil/core');
    const { fetch } = mcpHandler(toolsetOf([tool('any', { input: jsonSchema(schema) })]), {
      name: 'test',
      version: '1',
    });
    const { toolset, call, unmount } = await mounted({
      url: 'http://localhost/mcp',
      fetch: (url, init) => fetch(new Request(url, init)),
    });
    const [definition] = toolset().definitions({ api: 'test' });
    expect(definition).toMatchObject({ inputSchema: schema });
    const bad: readonly object[] = [
      { count: 3 },
      { count: 10 },
      { count: 2, nothing: 0, untyped: 1 },
      { count: 2, nothing: null },
      { count: 2, choice: { deep: false } },
      { count: 2, constant: [2, 1] },
      { count: 2, many: 'ab' },
      { count: 2, nested: { list: [{ children: ['no'] }] } },
      { count: 2, either: { a: 1, b: 2 } },
      { count: 2, pair: [1, 'a', 2] },
      { count: 2, 'x-on': 'yes' },
      { count: 2, other: 1 },
    ];
    for (const input of bad)
      expect({ input, ...(await call('x_any', input as never)) }).toMatchObject({ input, code: 'invalid_input' });
    const good = {
      count: 2,
      many: 'ab',
      choice: 'a',
      nested: { list: [{ children: [{}] }] },
      either: { a: 1 },
      pair: [1, 'a'],
      'x-on': true,
    };
    expect(await call('x_any', good)).toMatchObject({ isError: false });
    await unmount();
  });
});
