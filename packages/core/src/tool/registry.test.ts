import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { jsonSchema } from '../schema/json-schema.ts';
import { createRegistry } from './registry.ts';
import { emptySettings, isEnabled, withEnabled, withOption } from '../settings/settings.ts';
import { option } from './option.ts';
import { defineTool } from './define.ts';
import type { Tool } from './tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';

const named = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

const names = (tools: readonly Tool[]): string => tools.map(({ name }) => name).join(' ');

it('[S0-01] [S1-02] keeps the order of registration, and gives out lists of their own', () => {
  const registry = createRegistry([named('memory'), named('javascript')]);
  registry.register(named('filesystem'));
  expect(names(registry.list())).toBe('memory javascript filesystem');
  expect(registry.get('javascript')?.name).toBe('javascript');
  expect(registry.has('minion')).toBe(false);
  (registry.list() as Tool[]).length = 0;
  expect(registry.list()).toHaveLength(3);
  expect(() => (registry.snapshot() as Tool[]).pop()).toThrow(TypeError);
});

it('[S3-02] refuses a second tool of a name unless it overrides, and then replaces it where it stands', () => {
  const registry = createRegistry([named('a'), named('b')]);
  expect(() => registry.register(named('a'))).toThrow(
    'Tool "a" is already registered. Use override: true to replace it.',
  );
  const newer = named('a', { title: 'Newer' });
  registry.register(newer, { override: true });
  expect(registry.get('a')).toBe(newer);
  expect(names(registry.list())).toBe('a b');
});

it.each(['', '1st', 'has space', 'ünïcode', 'a'.repeat(65), 'dotted.name', '../x'])('refuses the name %j', (name) => {
  expect(() => createRegistry([named(name)])).toThrow(/is not valid: use 1 to 64 letters/);
});

it('[S2-01] selects by tag and category, and leaves internal tools out of settings pages', () => {
  const registry = createRegistry([
    named('read', { tags: ['read_only'], ui: { category: 'files' } }),
    named('fetch', { tags: ['read_only', 'outward'], ui: { category: 'web' } }),
    named('return', { internal: true }),
  ]);
  expect(names(registry.list({ tag: 'read_only' }))).toBe('read fetch');
  expect(names(registry.list({ tag: 'outward', category: 'web' }))).toBe('fetch');
  expect(names(registry.list({ internal: false }))).toBe('read fetch');
  expect(registry.has('return')).toBe(true);
});

it('[S3-05] tells subscribers of every change, with a snapshot that is the same in between', () => {
  const registry = createRegistry([named('a')]);
  const seen: string[] = [];
  const unsubscribe = registry.subscribe(() => seen.push(names(registry.snapshot())));
  expect(registry.snapshot()).toBe(registry.snapshot());
  registry.register(named('b'));
  expect(registry.unregister('a')).toBe(true);
  expect(registry.unregister('a')).toBe(false);
  unsubscribe();
  registry.register(named('c'));
  expect(seen).toEqual(['a b', 'b']);
});

it('[S3-01] [D3-10] survives hot reloads: overriding a thousand times leaves one tool and one subscriber', () => {
  const registry = createRegistry();
  let calls = 0;
  registry.subscribe(() => calls++);
  for (let reload = 0; reload < 1000; reload++)
    registry.register(named('a', { defaultEnabled: reload % 2 === 0 }), { override: true });
  expect(registry.list()).toHaveLength(1);
  expect(calls).toBe(1000);
  const [tool] = registry.list();
  expect(isEnabled(emptySettings, tool as Tool)).toBe(false); // the new default, not the one of the tool before
});

it('[S3-04] [S4-26] [D4-05] keeps what was chosen for a tool that is unregistered, and every other tool', () => {
  const tool = named('mcp_a', { options: { depth: option.number({ label: 'Depth', default: 1 }) } });
  const registry = createRegistry([tool, named('memory'), named('mcp_b')]);
  const settings = withOption(withEnabled(emptySettings, tool, false), tool, ['depth', 7]);
  registry.unregister('mcp_a');
  registry.unregister('memory');
  registry.register(named('memory'));
  expect(names(registry.list())).toBe('mcp_b memory');
  expect(settings.tools['mcp_a']).toEqual({ enabled: false, options: { depth: 7 } });
  registry.register(tool);
  expect(isEnabled(settings, tool)).toBe(false);
});

it('starts with fifty tools without looking at more than their names', () => {
  const read = new Set<PropertyKey>();
  const watched = Array.from(
    { length: 50 },
    (_, index) =>
      new Proxy(named(`tool_${index}`), {
        get(tool, member: keyof Tool) {
          read.add(member);
          return tool[member];
        },
      }),
  );
  const registry = createRegistry(watched);
  expect([...read]).toEqual(['name']);
  expect(registry.snapshot()).toHaveLength(50);
});

it('[A3-09] a thousand plugins come with their tools and listeners and go again, and nothing of them stays', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const registry = createRegistry([named('stays')]);
  const [told, gone]: [number[], WeakRef<object>[]] = [[], []];

  /** As a screen that is mounted and disposed of: what it makes is in nobody's hands but the registry's. */
  function comeAndGo(index: number): void {
    const tool = named(`plugin_${index}`, { options: { depth: option.number({ label: 'Depth', default: 1 }) } });
    const listener = (): number => told.push(index);
    const leave = registry.subscribe(listener);
    registry.register(tool);
    resolveToolset(registry, emptySettings, {}).definitions({ api: 'text' });
    leave();
    expect(registry.unregister(tool.name)).toBe(true);
    gone.push(new WeakRef(tool), new WeakRef(listener));
  }

  for (let index = 0; index < 1000; index++) comeAndGo(index);
  expect(told).toHaveLength(1000);
  expect(names(registry.snapshot())).toBe('stays');
  registry.register(named('last'));
  expect(told).toHaveLength(1000);
  const left = (): number => {
    collectGarbage();
    return gone.filter((each) => each.deref() !== undefined).length;
  };
  await expect.poll(left).toBe(0);
});

it('a listener that leaves while it is called does not disturb the others', () => {
  const registry = createRegistry();
  const seen: string[] = [];
  const leave = registry.subscribe(() => leave());
  registry.subscribe(() => seen.push('second'));
  registry.register(named('a'));
  registry.register(named('b'));
  expect(seen).toEqual(['second', 'second']);
});
