import { defineTool, emptySettings, jsonSchema, option } from '@utensil/core';
import { isEnabled, withOption } from '@utensil/core/settings';
import type { Tool } from '@utensil/core';
import { expect, it } from 'vitest';
import { countOn, withGroup, withoutOption } from './changes.ts';

const toolOf = (name: string, category?: string): Tool =>
  defineTool({
    name,
    description: '',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    formerNames: [`old_${name}`],
    ...(category !== undefined && { ui: { category } }),
    options: { zone: option.text({ label: 'Zone', default: '' }) },
    execute: () => '',
  });
const [web, mail, plain] = [toolOf('web', 'net'), toolOf('mail', 'net'), toolOf('plain')];

it('switches a category with what will come to it, and keeps options, under earlier names too', () => {
  const before = { ...emptySettings, tools: { old_web: { options: { zone: 'x' } }, gone: { enabled: true } } };
  const after = withGroup(before, { category: 'net', tools: [web, mail] }, false);
  expect(after.tools).toMatchObject({ web: { enabled: false, options: { zone: 'x' } }, gone: { enabled: true } });
  expect([countOn(after, { category: 'net', tools: [web, mail] }), isEnabled(after, toolOf('later', 'net'))]).toEqual([
    0,
    false,
  ]);
  expect(withGroup(after, { category: undefined, tools: [plain] }, false).categories).toEqual({ net: false });
});

it('puts an option back', () => {
  const chosen = withOption(emptySettings, web, ['zone', 'x']);
  expect(withoutOption(chosen, web, 'zone').tools['web']).toEqual({ options: {} });
});
