import { defineTool, jsonSchema, option } from '@utensil/core';
import type { Tool, ToolUi } from '@utensil/core';
import { expect, it } from 'vitest';
import { foundAmong, groupsOf } from './groups.ts';

const toolOf = (name: string, ui: ToolUi = {}): Tool =>
  defineTool({
    name,
    description: '',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    ui,
    options: { zone: option.text({ label: `Fuseau de ${name}`, default: '' }) },
    execute: () => '',
  });

const tools = [
  toolOf('plain'),
  toolOf('web', { category: 'Net' }),
  toolOf('cafe', { subtitle: 'Café', category: 'Food' }),
];

it('puts tools together by category, in their order, and those without one last', () => {
  const names = groupsOf(tools).map(({ category, tools }) => [category, tools.map(({ name }) => name)]);
  expect(names).toEqual([
    ['Net', ['web']],
    ['Food', ['cafe']],
    [undefined, ['plain']],
  ]);
});

it('finds tools by every shown word, in any case and with any accents', () => {
  const found = (search: string): readonly string[] => foundAmong(tools, search).map(({ name }) => name);
  expect(found('CAFE food')).toEqual(['cafe']);
  expect(found('fuseau web')).toEqual(['web']);
  expect(found(' ')).toEqual(['plain', 'web', 'cafe']);
  expect(found('nothing')).toEqual([]);
});
