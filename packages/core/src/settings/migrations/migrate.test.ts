import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../tool/define.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import { migrateSettings } from '../versions.ts';
import { absentTools, unseenTools } from '../seen.ts';
import { isEnabled, settingsOf } from '../settings.ts';
import type { Tool } from '../../tool/tool.ts';
import {
  fromEnabledIds,
  fromEnabledRecord,
  fromProjectSwitches,
  fromServersFile,
  fromToolsFile,
  fromToolToggles,
  migrate,
  toolsFileSecrets,
} from './index.ts';

const named = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({ name, description: name, input: jsonSchema({ type: 'object' }), effects: 'read', ...more });
const isOn = (stored: unknown, name: string, more: Partial<Tool> = {}): boolean =>
  isEnabled(migrate(stored), named(name, more));

describe('five switches of a project', () => {
  it('become a list of tools and their options; what else the project says stays', () => {
    const project = {
      id: 'p1',
      name: 'Thesis',
      memoryEnabled: true,
      memoryUseSystemPrompt: true,
      jsExecutionEnabled: false,
      jsLibEnabled: false,
      fsToolEnabled: true,
    };
    const step = fromProjectSwitches(project);
    expect(step).toEqual({
      id: 'p1',
      name: 'Thesis',
      version: 0,
      enabledTools: ['memory', 'filesystem'],
      toolOptions: { memory: { useSystemPrompt: true }, javascript: { loadLib: false } },
    });
    expect(migrate(project)).toEqual({
      id: 'p1',
      name: 'Thesis',
      version: 2,
      newTools: false,
      tools: {
        memory: { enabled: true, options: { useSystemPrompt: true } },
        filesystem: { enabled: true },
        javascript: { enabled: false, options: { loadLib: false } },
      },
    });
  });

  it('count only if they are true or false; missing ones mean nothing', () => {
    expect(migrate({ memoryEnabled: 'yes', jsLibEnabled: 0 }).tools).toEqual({
      memory: { enabled: false },
      javascript: { enabled: false },
      filesystem: { enabled: false },
    });
    const done = { enabledTools: [], memoryEnabled: true };
    expect(fromProjectSwitches(done)).toBe(done);
    const other = { name: 'no switches' };
    expect(fromProjectSwitches(other)).toBe(other);
  });
});

describe('a switch for the internet, and a toggle for each tool', () => {
  it.each([
    [{ enableInternet: true }, { web_search: true, open_link: true }],
    [{ enableInternet: false }, { web_search: false, open_link: false }],
    [
      { enableInternet: true, toolEnabled_web_search: false },
      { web_search: false, open_link: true },
    ],
    [
      { enableInternet: false, toolEnabled_open_link: true, toolEnabled_file_grep: true, toolEnabled_mine: true },
      { web_search: false, open_link: true, search_files: true, mine: true, write_file: false },
    ],
    [
      { toolEnabled_file_read: true, toolEnabled_file_write: false, toolEnabled_folder_browse: true },
      { read_files: true, write_file: false, list_files: true, web_search: false },
    ],
    [
      { toolEnabled_file_edit: true, toolEnabled_file_glob: true, toolEnabled_file_read: 'yes' },
      { edit_file: true, glob_files: true, read_files: false },
    ],
  ])('%j', (state, expected) => {
    for (const [name, enabled] of Object.entries(expected)) expect([name, isOn(state, name)]).toEqual([name, enabled]);
  });

  it('leave the rest of that state unchanged', () => {
    const state = { sidebar: 'left', enableInternet: true };
    expect(fromToolToggles(state)).toEqual({ sidebar: 'left', version: 0, enabledTools: ['web_search', 'open_link'] });
    const other = { sidebar: 'left' };
    expect(fromToolToggles(other)).toBe(other);
  });
});

describe('files of tools and servers', () => {
  it('switch on the tool whose key is there; the key is a secret, and in no setting', () => {
    const file = { perplexity_api_key: '${PERPLEXITY_API_KEY}', theme: 'dark' };
    expect(migrate(file)).toEqual({ version: 2, theme: 'dark', tools: { perplexity_ask: { enabled: true } } });
    expect(JSON.stringify(fromToolsFile(file))).not.toContain('PERPLEXITY_API_KEY');
    expect(toolsFileSecrets(file)).toEqual({ 'perplexity_ask.apiKey': '${PERPLEXITY_API_KEY}' });
    expect(migrate({ perplexity_api_key: null }).tools).toEqual({ perplexity_ask: { enabled: false } });
    expect(toolsFileSecrets({ perplexity_api_key: null })).toEqual({});
    expect(toolsFileSecrets('nonsense')).toEqual({});
  });

  it('say which servers are on, and which tools of each; how they are started is not repeated', () => {
    const file = {
      servers: {
        jira: { command: 'npx', env: { TOKEN: 'sk-1' }, disabled_tools: ['delete.issue'] },
        docs: { url: 'https://docs.example.com', enabled_tools: ['find', 'read'], disabled_tools: ['read'] },
        'my server': { command: 'node', enabled: false, enabled_tools: ['a'] },
        broken: 5,
      },
      comment: 'kept',
    };
    const settings = migrate(file);
    expect(settings).toEqual({
      version: 2,
      comment: 'kept',
      tools: {
        mcp__jira__delete_issue: { enabled: false },
        mcp__docs__find: { enabled: true },
        mcp__docs__read: { enabled: false },
      },
      categories: { mcp__docs: false, mcp__my_server: false },
    });
    const of = (server: string, tool: string): boolean =>
      isEnabled(settings, named(`mcp__${server}__${tool}`, { ui: { category: `mcp__${server}` } }));
    expect([of('jira', 'delete_issue'), of('jira', 'find'), of('docs', 'find')]).toEqual([false, true, true]);
    expect([of('docs', 'read'), of('docs', 'new'), of('my_server', 'a')]).toEqual([false, false, false]);
    expect(JSON.stringify(fromServersFile(file))).not.toMatch(/sk-1|npx|https/);
    expect(migrate({ servers: { s: { disabled_tools: ['x'.repeat(80), 7] } } }).tools).toEqual({});
  });
});

describe('a record of what is on', () => {
  it('holds for the tools that it names, and others are as they say themselves', () => {
    const record = { calculator: false, coingecko_price: true };
    expect(migrate(record)).toEqual({
      version: 2,
      tools: { calculator: { enabled: false }, coingecko_price: { enabled: true } },
    });
    expect(isOn(record, 'later')).toBe(true);
    expect(isOn(record, 'later', { defaultEnabled: false })).toBe(false);
    expect(migrate(JSON.stringify(record))).toEqual(migrate(record));
  });

  it.each([{}, { a: true, b: 'yes' }])('is another document where it says something else: %j', (document) => {
    expect(fromEnabledRecord(document)).toBe(document);
  });
});

describe('a list of ids that are on', () => {
  const tools = ['search_files', 'read_files', 'web_search', 'write_file', 'edit_file', 'memory', 'get_current_time'];
  const registry = [...tools.map((name) => named(name)), named('plan', { defaultEnabled: true })];

  it('[S4-14] [A4-10] survives renamed tools, tools that are gone, unknown ones, and new ones with their defaults', () => {
    const old = {
      temperature: 0.1,
      autonomousAgentEnabledToolIds: [
        'localSearch',
        'pomodoro',
        'writeToFile',
        'replaceInFile',
        'youtubeTranscription',
      ],
    };
    const settings = migrate(old);
    const on = registry.filter((tool) => isEnabled(settings, tool)).map(({ name }) => name);
    // Tools of the list by their new names, and tools that could not be switched off.
    expect(on).toEqual(['search_files', 'read_files', 'write_file', 'edit_file', 'memory', 'get_current_time']);
    expect(settingsOf(settings, named('web_search'))).toEqual({ enabled: false }); // the user had switched it off
    expect(isEnabled(settings, named('youtubeTranscription'))).toBe(true); // may be registered yet
    expect(settings.tools).not.toHaveProperty('pomodoro');
    expect(settings).toMatchObject({ temperature: 0.1 });
    expect(unseenTools(settings, registry).map(({ name }) => name)).toEqual(['plan']); // reported, and not switched on
    expect(absentTools(settings, registry)).toContain('youtubeTranscription');

    const current = { autonomousAgentEnabledToolIds: ['writeFile', 'editFile', 'localSearch', 'youtubeTranscription'] };
    expect(migrate(current).tools).toEqual(settings.tools);
    // One of our own renames keeps earlier choices; without one, the new default applies.
    const renamed = named('find_in_files', { formerNames: ['search_files'] });
    expect(isEnabled(settings, renamed)).toBe(true);
    const fresh = { version: 2, tools: { gone: { enabled: true } } };
    expect(isOn(fresh, 'new', { defaultEnabled: false })).toBe(false);
    expect(isOn(fresh, 'new')).toBe(true);
    expect(migrate(fresh)).toEqual(fresh);
  });

  it('is unchanged if it is not a list', () => {
    const other = { autonomousAgentEnabledToolIds: 'all' };
    expect(fromEnabledIds(other)).toBe(other);
    expect(migrate({ autonomousAgentEnabledToolIds: [5, null] }).tools).toMatchObject({ memory: { enabled: true } });
  });
});

it.each([
  [null, 'it is not an object'],
  [[], 'it is not an object'],
  ['{"memoryEna', 'it is not JSON'],
  ['', 'it is not JSON'],
  ['5', 'it is not an object'],
])('says what is wrong with %j, and repeats nothing of it', (stored, why) => {
  expect(() => migrate(stored)).toThrow(`The stored settings cannot be read: ${why}.`);
});

const name = fc.oneof(
  fc.constantFrom('web_search', 'writeToFile', 'pomodoro', '__proto__', 'constructor', 'mcp__a__b'),
  fc.stringMatching(/^[a-z_]{1,12}$/),
);
const rest = fc.dictionary(fc.stringMatching(/^x[a-z]{0,5}$/), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
const switchOf = fc.option(fc.boolean(), { nil: undefined });
const old = fc.oneof(
  fc.record({
    memoryEnabled: switchOf,
    memoryUseSystemPrompt: switchOf,
    jsExecutionEnabled: switchOf,
    jsLibEnabled: switchOf,
    fsToolEnabled: switchOf,
  }),
  fc.dictionary(
    name.map((each) => `toolEnabled_${each}`),
    fc.boolean(),
    { minKeys: 1 },
  ),
  fc.record({ autonomousAgentEnabledToolIds: fc.array(name) }),
  fc.record({ perplexity_api_key: fc.option(fc.string()) }),
  fc.record({ servers: fc.dictionary(name, fc.record({ enabled: fc.boolean(), disabled_tools: fc.array(name) })) }),
  fc.record({ enabledTools: fc.array(name) }),
);

it('for any stored value, a second migration changes nothing, unknown data survives, and nothing is changed in place', () => {
  fc.assert(
    fc.property(old, rest, (document, unknown) => {
      const stored = { ...unknown, ...document };
      const before = structuredClone(stored);
      const settings = migrate(stored);
      expect(stored).toEqual(before);
      expect(settings).toMatchObject(unknown);
      expect(migrate(settings)).toEqual(settings);
      expect(migrateSettings(settings)).toEqual(settings);
    }),
    { numRuns: 300 },
  );
});
