import { expect, it } from 'vitest';
import { defineTool } from '../tool/define.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import { option, readOptions } from '../tool/option.ts';
import type { Tool } from '../tool/tool.ts';
import { overSettings } from './layers.ts';
import { migrateSettings } from './versions.ts';
import { absentTools, unseenTools, withoutTools, withSeen } from './seen.ts';
import {
  emptySettings,
  isEnabled,
  settingsOf,
  withCategory,
  withEnabled,
  withInstructions,
  withOption,
} from './settings.ts';
import { withGrant } from './stored-grants.ts';
import type { Settings } from './settings.ts';

const options = {
  depth: option.number({ label: 'Depth', default: 1 }),
  note: option.text({ label: 'Note', default: '' }),
};

const named = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options,
    ui: { category: 'web' },
    ...more,
  });

const search = named('search', { formerNames: ['web_search', 'google'] });
const read = named('read');
const clock = named('clock', { ui: { category: 'time' } });
const all = [search, read, clock];
const print = { toolFingerprint: 'f', expires: 1, seal: 's' };

it("a thread overrides a tool's settings option by option, and inherits the rest from its project", () => {
  let project = withOption(withEnabled(emptySettings, search, true), search, ['depth', 3]);
  project = withInstructions(withGrant(withOption(project, search, ['note', 'p']), 'search', print), search, 'Less.');
  const thread = withOption(withEnabled(emptySettings, search, false), search, ['depth', 9]);
  const over = overSettings(project, thread);
  expect(over.tools['search']).toEqual({
    enabled: false,
    options: { depth: 9, note: 'p' },
    grants: [print],
    instructions: 'Less.',
  });
  expect(isEnabled(over, search)).toBe(false);
  expect(readOptions(options, settingsOf(over, search).options)).toEqual({ depth: 9, note: 'p' });
  expect(overSettings(project, withInstructions(thread, search, '')).tools['search']?.instructions).toBe('');
  expect(overSettings(project, emptySettings)).toEqual(project);
  expect(overSettings(emptySettings, thread)).toEqual(thread);
  expect(thread).toEqual(withOption(withEnabled(emptySettings, search, false), search, ['depth', 9]));
});

it('a thread has its own categories, and its own settings of tools without any others', () => {
  const project: Settings = { ...emptySettings, categories: { web: true, time: false }, newTools: false };
  const over = overSettings(project, { ...emptySettings, categories: { web: false }, newTools: true });
  expect(over).toMatchObject({ categories: { web: false, time: false }, newTools: true });
  expect(isEnabled(over, read)).toBe(false);
});

it.each([
  ['the project by an earlier name', 'web_search', 'search'],
  ['the thread by an earlier name', 'search', 'web_search'],
  ['both by different earlier names', 'google', 'web_search'],
])('meets a tool that was renamed: %s', (_, below, above) => {
  const project: Settings = { version: 2, tools: { [below]: { enabled: false, options: { depth: 2 } } } };
  const thread: Settings = { version: 2, tools: { [above]: { options: { note: 't' } } } };
  const over = overSettings(project, thread, all);
  expect(settingsOf(over, search)).toEqual({ enabled: false, options: { depth: 2, note: 't' } });
});

it('names that mean something to JavaScript are names', () => {
  const hostile = JSON.parse('{"version":1,"tools":{"__proto__":{"enabled":false}}}') as Settings;
  expect(Object.entries(overSettings(hostile, hostile).tools)).toEqual([['__proto__', { enabled: false }]]);
  expect(Object.entries(withoutTools(hostile, []).tools)).toEqual([['__proto__', { enabled: false }]]);
});

it('a master switch turns all tools of its category, those that come later too, and no other', () => {
  const before = withOption(withEnabled(emptySettings, read, true), read, ['depth', 4]);
  const off = withCategory(before, all, ['web', false]);
  expect(all.map((tool) => isEnabled(off, tool))).toEqual([false, false, true]);
  expect(isEnabled(off, named('later'))).toBe(false);
  expect(settingsOf(off, read).options).toEqual({ depth: 4 });
  const on = withCategory(off, all, ['web', true]);
  expect(all.map((tool) => isEnabled(on, tool))).toEqual([true, true, true]);
  // In a thread, a category outweighs the project's choice for each tool.
  const thread = withCategory(emptySettings, all, ['web', false]);
  expect(all.map((tool) => isEnabled(overSettings(on, thread), tool))).toEqual([false, false, true]);
});

it('a master switch gives no tool the settings of another that had its name', () => {
  const tools = [named('b', { formerNames: ['a'] }), named('c', { formerNames: ['b'] })];
  const before: Settings = { ...emptySettings, tools: { a: { enabled: true, instructions: 'for b' } } };
  const { b, c } = withCategory(before, tools, ['web', false]).tools;
  expect([b, c]).toEqual([{ enabled: false, instructions: 'for b' }, { enabled: false }]);
});

it('[D4-06] every tool can be switched off, by itself and with its category, whatever it says of itself', () => {
  const tools = [
    named('memory', { defaultEnabled: true, ui: { category: 'memory' } }),
    named('list_files', { defaultEnabled: true, ui: { category: 'file' } }),
    named('get_current_time', { internal: false, ui: { category: 'time' } }),
    named('read_note', { tags: ['always'], role: { type: 'output-reader' } }),
  ];
  for (const tool of tools) {
    expect(isEnabled(emptySettings, tool)).toBe(true);
    expect(isEnabled(withEnabled(emptySettings, tool, false), tool)).toBe(false);
    const category = tool.ui?.category ?? '';
    expect(isEnabled({ ...emptySettings, categories: { [category]: false } }, tool)).toBe(false);
    expect(isEnabled({ ...emptySettings, newTools: false }, tool)).toBe(false);
  }
});

it('marks as new what has come since the user looked, and nothing before that', () => {
  expect(unseenTools(emptySettings, all)).toEqual([]);
  const looked = withSeen(emptySettings, [search, read]);
  expect(unseenTools(looked, all)).toEqual([clock]);
  expect(unseenTools(looked, [named('return', { internal: true })])).toEqual([]);
  expect(unseenTools(withEnabled(looked, clock, false), all)).toEqual([]);
  expect(unseenTools(withSeen(looked, all), all)).toEqual([]);
  expect(withSeen(looked, [read])).toBe(looked);
  expect(unseenTools(withSeen(emptySettings, [named('google')]), [search])).toEqual([]); // an earlier name of it
  expect(isEnabled(looked, clock)).toBe(true); // seen or not says nothing of on or off
});

it('[D4-07] old users see new tools marked, and lose what is gone for good, but nothing that may come back', () => {
  const old = migrateSettings({ enabledTools: ['web_search', 'pomodoro', 'mcp_jira_find'] });
  expect(unseenTools(old, all)).toEqual([read, clock]);
  expect(isEnabled(withEnabled(old, clock, true), clock)).toBe(true);
  expect(absentTools(old, all)).toEqual(['pomodoro', 'mcp_jira_find']);
  const tidy = withSeen(withoutTools(old, ['pomodoro']), all);
  expect(Object.keys(tidy.tools)).toEqual(['web_search', 'mcp_jira_find']);
  expect(unseenTools(tidy, all)).toEqual([]);
  expect(isEnabled(tidy, named('mcp_jira_find'))).toBe(true);
  expect(withoutTools(tidy, ['read']).seen).toEqual(['search', 'clock']);
});

it('rejects an invalid list of seen tools', () => {
  expect(() => migrateSettings({ version: 2, tools: {}, seen: 'all' })).toThrow('"seen" is not a list of names');
  expect(() => migrateSettings({ version: 2, tools: {}, seen: [1] })).toThrow('"seen" is not a list of names');
});
