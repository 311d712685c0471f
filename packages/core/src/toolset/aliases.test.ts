import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aliasesOf, expandAliases } from './aliases.ts';
import { capability } from '../tool/capability.ts';
import { defineTool } from '../tool/define.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import { createRegistry } from '../tool/registry.ts';
import { emptySettings, withEnabled } from '../settings/settings.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from './toolset.ts';

const named = (name: string, aliases: readonly string[], more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ui: { aliases },
    ...more,
  });

const search = named('search_files', ['@vault']);
const web = named('web_search', ['@websearch', '@web']);
const write = named('write_file', ['composer'], { defer: true });
const memory = named('memory', ['@memory', '@web'], { requires: { files: capability('files') } });
const registry = createRegistry([search, web, write, memory]);
const aliases = aliasesOf(registry.snapshot());
const expand = (text: string, settings = emptySettings) =>
  expandAliases(text, aliases, resolveToolset(registry, settings, {}));

it('[S4-27] aliases in a message stand for tools, and one that cannot be used is said so', () => {
  expect(expand('@vault and @WebSearch: what of @composer, @web?')).toEqual({
    text: [
      '@vault and @WebSearch: what of @composer, @web?\n',
      '[@vault means the tool search_files: use it.]',
      '[@WebSearch means the tool web_search: use it.]',
      '[@composer means the tool write_file: use it.]',
      '[@web means the tool web_search: use it.]',
    ].join('\n'),
    tools: ['search_files', 'web_search', 'write_file'],
    missing: [],
  });
  const { text, tools, missing } = expand('@web @memory @vault', withEnabled(emptySettings, web, false));
  expect(tools).toEqual(['search_files']);
  expect(missing).toEqual([
    { alias: '@web', name: 'web_search', reason: 'it is switched off, or not there' },
    { alias: '@memory', name: 'memory', reason: 'It needs files, which this app does not offer' },
  ]);
  expect(text).toContain(
    '[@web means the tool web_search, which cannot be used: it is switched off, or not there. Say so to the user.]',
  );
});

it('gives an alias that two tools want to the first of them', () => {
  expect(aliases).toEqual({
    vault: 'search_files',
    websearch: 'web_search',
    web: 'web_search',
    composer: 'write_file',
    memory: 'memory',
  });
});

it.each([
  'mail ada@web.example',
  'npm i @web/core',
  '@web.de',
  '@website',
  '@web-search',
  'a/@web',
  '@@web',
  '@nobody',
  '@constructor @__proto__',
  '',
])('leaves %j unchanged', (text) => {
  expect(expand(text)).toEqual({ text, tools: [], missing: [] });
});

it.each(['@web', '(@web)', '@web.', 'see @web!', '@web\nnext', '„@web“'])('finds the alias in %j', (text) => {
  expect(expand(text).tools).toEqual(['web_search']);
});

it('reports an alias once, and never changes what the user wrote', () => {
  expect(expand('@web @WEB @Web').text).toBe('@web @WEB @Web\n\n[@web means the tool web_search: use it.]');
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('@web', ' @vault', '@', '.'))), (pieces) => {
      const text = pieces.join('');
      expect(expand(text).text.startsWith(text)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
