import { expect, it } from 'vitest';
import { jsonSchema } from '../schema/json-schema.ts';
import { isVisible, option, readOptions } from '../tool/option.ts';
import { createRegistry } from '../tool/registry.ts';
import { defineTool } from '../tool/define.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { migrateSettings } from './versions.ts';
import { emptySettings, isEnabled, settingsOf, withCategory, withEnabled, withOption } from './settings.ts';
import { withGrant, withoutGrant } from './stored-grants.ts';
import type { Settings } from './settings.ts';

const options = {
  safe: option.boolean({ label: 'Safe', default: true }),
  results: option.number({ label: 'Results', default: 8, min: 1, max: 20, step: 1 }),
  note: option.longtext({ label: 'Note', default: '' }),
  engine: option.select({
    label: 'Engine',
    default: 'brave',
    choices: [
      { value: 'brave', label: 'Brave' },
      { value: 'tavily', label: 'Tavily' },
    ],
  }),
  key: option.secret({ label: 'Key', visibleWhen: { option: 'engine', equals: ['tavily'] } }),
};

const search: Tool = defineTool({
  name: 'search',
  description: 'Searches.',
  input: jsonSchema({ type: 'object' }),
  effects: 'read',
  options,
  ui: { category: 'web' },
  formerNames: ['web_search'],
});

it('[S0-10] keeps the options of a tool that is switched off, and does not reset them when it is on again', () => {
  const set = withOption(emptySettings, search, ['results', 12]);
  const toggled = withEnabled(withEnabled(set, search, false), search, true);
  expect(toggled.tools['search']).toEqual({ enabled: true, options: { results: 12 } });
  expect(readOptions(options, settingsOf(toggled, search).options)).toMatchObject({ results: 12, safe: true });
});

it.each([
  ['nothing said', emptySettings, {}, true],
  ['its own default', emptySettings, { defaultEnabled: false }, false],
  ['its category off', { ...emptySettings, categories: { web: false } }, {}, false],
  ['its category over its default', { ...emptySettings, categories: { web: true } }, { defaultEnabled: false }, true],
  [
    'the user over the category',
    { ...emptySettings, tools: { search: { enabled: true } }, categories: { web: false } },
    {},
    true,
  ],
  ['the user over its default', { ...emptySettings, tools: { search: { enabled: false } } }, {}, false],
  ['a choice under its former name', { ...emptySettings, tools: { web_search: { enabled: false } } }, {}, false],
  [
    'its own name over a former one',
    { ...emptySettings, tools: { web_search: { enabled: false }, search: { enabled: true } } },
    {},
    true,
  ],
] as const)('is on or off by %s', (_, settings: Settings, more, expected) => {
  expect(isEnabled(settings, { ...search, ...more })).toBe(expected);
});

it('[S3-03] [D3-01] begins as the app says for a run, else as stored, else as the tool says, else on', () => {
  const offered = (tool: Tool, settings: Settings): string[] =>
    resolveToolset(createRegistry([tool]), settings, {})
      .definitions({ api: 'text' })
      .map(({ name }) => name);
  const reluctant = { ...search, defaultEnabled: false };
  expect(offered(search, emptySettings)).toEqual(['search']);
  expect(offered(reluctant, emptySettings)).toEqual([]);
  expect(offered(reluctant, withEnabled(emptySettings, search, true))).toEqual(['search']);
  const chosenOff = withEnabled(emptySettings, search, false);
  expect(offered({ ...search, defaultEnabled: true }, chosenOff)).toEqual([]);
  const forced = resolveToolset(createRegistry([reluctant]), chosenOff, {}).derive({ add: [reluctant] });
  expect(forced.definitions({ api: 'text' }).map(({ name }) => name)).toEqual(['search']);
});

it('[D3-02] a choice for one tool leaves those for tools that are not registered', () => {
  const later = { ...search, name: 'later', formerNames: [] };
  const settings = withOption(withEnabled(emptySettings, later, false), later, ['results', 3]);
  const changed = withCategory(
    withOption(withEnabled(settings, search, true), search, ['results', 9]),
    [search],
    ['web', false],
  );
  expect(changed.tools['later']).toEqual({ enabled: false, options: { results: 3 } });
  const registry = createRegistry([search]);
  registry.register(later);
  expect(registry.list().map((tool) => isEnabled(changed, tool))).toEqual([false, false]);
});

it('switches a thousand tools of a category at once, under the names that they have now', () => {
  const tools = Array.from({ length: 1_000 }, (_, at) => ({
    ...search,
    name: `tool_${at}`,
    formerNames: [`old_${at}`],
  }));
  const before = { ...emptySettings, tools: { old_7: { options: { results: 3 } }, gone: { enabled: true } } };
  const after = withCategory(before, [...tools, { ...search, name: 'other', ui: {} }], ['web', false]);
  expect(after.tools).toMatchObject({ tool_7: { enabled: false, options: { results: 3 } }, gone: { enabled: true } });
  expect(tools.some((tool) => isEnabled(after, tool))).toBe(false);
  expect(Object.hasOwn(after.tools, 'other')).toBe(false);
});

it('[S3-06] remembers choices for tools that are registered later', () => {
  const settings = withEnabled(emptySettings, search, false);
  const registry = createRegistry();
  const offered = (): string[] =>
    resolveToolset(registry, settings, {})
      .definitions({ api: 'text' })
      .map(({ name }) => name);
  registry.register({ ...search, name: 'other' });
  expect(offered()).toEqual(['other']);
  registry.register(search);
  expect(offered()).toEqual(['other']);
});

it.each([
  ['results', 21, 'Option "results" of tool "search" must be from 1 to 20; got 21.'],
  ['results', 2.5, 'must be a whole number; got 2.5.'],
  ['results', '5', 'must be a number; got "5".'],
  ['safe', 'yes', 'must be true or false'],
  ['engine', 'bing', 'must be one of brave, tavily; got "bing".'],
  ['note', 5, 'must be a text'],
  ['key', 'sk-1', 'is a secret: it is kept with the secrets of the host'],
  ['toString', 1, 'has no option "toString"'],
  ['depth', 1, 'Tool "search" has no option "depth". Its options: safe, results, note, engine, key.'],
] as const)('refuses option %s = %j', (id, value, text) => {
  expect(() => withOption(emptySettings, search, [id, value])).toThrow(text);
});

it('reads a stored value that no longer fits as the default, and leaves it stored', () => {
  const stored = { results: 99, engine: 'bing', unknown: true };
  expect(readOptions(options, stored)).toEqual({ safe: true, results: 8, note: '', engine: 'brave' });
  expect(stored).toEqual({ results: 99, engine: 'bing', unknown: true });
});

it('shows an option only while its sibling has the value', () => {
  expect(isVisible(options.key, { engine: 'brave' })).toBe(false);
  expect(isVisible(options.key, { engine: 'tavily' })).toBe(true);
  expect(isVisible(options.safe, {})).toBe(true);
});

it('brings an unversioned document up to date, twice with the same outcome, and loses nothing', () => {
  const old = {
    enabledTools: ['memory', 'javascript'],
    toolOptions: { memory: { useSystemPrompt: true }, filesystem: { x: 1 } },
    theme: 'dark',
  };
  const migrated = migrateSettings(old);
  expect(migrated).toEqual({
    version: 2,
    theme: 'dark',
    newTools: false,
    tools: {
      memory: { enabled: true, options: { useSystemPrompt: true } },
      javascript: { enabled: true },
      filesystem: { enabled: false, options: { x: 1 } },
    },
  });
  expect(migrateSettings(migrated)).toEqual(migrated);
  expect(isEnabled(migrated, search)).toBe(false); // what was not in the list was off
  expect(migrateSettings({ toolOptions: { a: { b: 1 } } })).toEqual({
    version: 2,
    tools: { a: { options: { b: 1 } } },
  });
  expect(migrateSettings({ tools: { a: { enabled: false } } }).tools).toEqual({ a: { enabled: false } });
  const hostile = migrateSettings(JSON.parse('{"enabledTools":["__proto__"],"toolOptions":{"__proto__":{"x":1}}}'));
  expect(Object.entries(hostile.tools)).toEqual([['__proto__', { enabled: true, options: { x: 1 } }]]);
});

it.each([
  [null, 'it is not an object'],
  ['{}', 'it is not an object'],
  [{ version: 'x', tools: {} }, 'its version is "x"'],
  [{ version: 1 }, 'it has no "tools"'],
  [{ version: 1, tools: { a: 5 } }, 'its entry for tool "a" is not an object'],
  [{ version: 1, tools: { a: { enabled: 'yes' } } }, '"enabled" of tool "a" is neither true nor false'],
  [{ version: 1, tools: { a: { options: [] } } }, '"options" of tool "a" is not an object'],
])('says what is wrong with corrupt settings %j', (document, why) => {
  expect(() => migrateSettings(document)).toThrow(`The stored settings cannot be read: ${why}.`);
});

it('refuses settings of a newer version by name', () => {
  expect(() => migrateSettings({ version: 3, tools: {} })).toThrow(
    /have version 3, and this app reads up to version 2: update the app/,
  );
});

it('a grant under the present name of a tool hid what was chosen under its former one', () => {
  const chosen = { ...emptySettings, tools: { web_search: { instructions: 'Be brief.', options: { results: 3 } } } };
  const grant = { toolFingerprint: 'f1', expires: 1, seal: 's' };
  const granted = withGrant(chosen, 'search', grant);
  expect(settingsOf(granted, search)).toEqual({ instructions: 'Be brief.', options: { results: 3 }, grants: [grant] });
  expect(withoutGrant(granted, 'search')).toEqual(chosen);
  expect(withoutGrant(chosen, 'search')).toBe(chosen);
  const own = withEnabled(granted, search, false);
  expect(withoutGrant(own, 'search').tools['search']).toEqual({ ...chosen.tools.web_search, enabled: false });
});
