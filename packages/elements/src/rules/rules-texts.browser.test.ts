import { createRecords, createRegistry, defineTool, hmacSeals, jsonSchema, openSettings } from '@utensil/core';
import type { RecordStore } from '@utensil/core';
import { settingsRules } from '@utensil/core/guard';
import type { Rule } from '@utensil/core/guard';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { mount } from '../../../../tooling/elements/mount.ts';
import { usePseudoLocale } from '../../../../tooling/elements/pseudo-scene.ts';
import * as english from '../texts/english.ts';
import { provideTexts } from '../texts/provide.ts';
import { UtensilRules } from './rules.ts';

const patient = { timeout: 100_000 };

const { locale: _, ...tables } = english;
const latinData = /src\/\*\*|\bx\b/gu;
const { shown, holds, press, missing } = usePseudoLocale({ tables, provide: provideTexts, latinData });

const input = jsonSchema({ type: 'object', properties: { ω: { type: 'string' } }, required: ['ω'] });
const tool = defineTool({ name: 'x', title: 'Δες', description: '', input, effects: 'read', execute: () => '' });

/** Rules of every look, some of which this version cannot read or the app has not sealed. */
const stored = [
  { decision: 'deny', effects: 'read' },
  { decision: 'deny', effects: 'write' },
  { decision: 'deny', effects: 'destructive', expires: 1 },
  { decision: 'ask', expires: 4e12, scope: { principal: 'α' } },
  { decision: 'allow', category: 'β' },
  { decision: 'allow', category: 'β', δ: 1 },
  ...Array.from({ length: 60 }, () => ({ decision: 'deny', category: 'γ' })),
].map((rule, at) => ({ id: `${at}`, rule }));

it('shows every text of the rules in those that are provided', async () => {
  const records = createRecords(memoryStorage());
  let failure: Error | undefined;
  const put: RecordStore['put'] = (...given) => (failure ? Promise.reject(failure) : records.put(...given));
  const settings = await openSettings({ ...records, put }, 'p');
  const seals = hmacSeals(new Uint8Array(32));
  const named = (rule: Rule, name = 'α'): Rule => ({ ...rule, name });
  const rules = settingsRules(settings, {
    seals,
    scope: 'p',
    admin: [named({ decision: 'ask', when: [{ field: 'ω', text: 'α' }] })],
    project: [named({ decision: 'allow', when: [{ field: 'ω', text: 'β' }] })],
  });
  const element = await mount(UtensilRules, { registry: createRegistry([tool]), settings });
  await holds(element);
  element.rules = rules;
  const field = (id: string): HTMLInputElement | null => element.renderRoot.querySelector(`#${id}`);
  const type = async (id: string, value: string, event = 'input'): Promise<void> => {
    const found = field(id);
    if (found) found.value = value;
    found?.dispatchEvent(new Event(event));
    await holds(element);
  };
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('rules.layers.project')), patient);

  await press('rules.add');
  for (const [kind, bad] of [
    ['path', '['],
    ['host', 'α/β'],
    ['command', 'α'.repeat(2_000)],
    ['text', 'α'.repeat(2_000)],
  ] as const) {
    await type('kind', kind, 'change');
    await type('fields', 'ω');
    await type('patterns', bad);
    expect(shown).toContain(`rules.malformed.${kind === 'command' ? 'text' : kind}`);
  }
  await type('patterns', '');
  await press('rules.save');
  await holds(element);
  await type('patterns', 'α');
  await type('fields', '');
  await holds(element);
  await type('kind', '', 'change');
  await type('tool', 'α'.repeat(2_000));
  await type('tool', 'α');
  await type('until', '2020-01-01T10:00');
  await type('until', '');
  field('until')?.focus();
  await userEvent.keyboard('1');
  await press('rules.save');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('rules.malformed.until')), patient);
  await type('until', '2999-01-01T10:00');
  failure = new Error('όχι');
  await press('rules.save');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('rules.notStored')), patient);
  failure = undefined;
  await press('rules.save');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('rules.editOf')), patient);
  failure = new Error('όχι');
  await press('rules.removeOf');
  await vi.waitFor(() => expect(element.problem).toBeDefined(), patient);
  failure = undefined;

  await settings.update((all) => ({ ...all, rules: stored as never }));
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('rules.more')), patient);

  const explained = async (given: string): Promise<void> => {
    await type('sample-input', given);
    await press('rules.explain');
    await vi.waitFor(() => expect(element.explained).not.toBe(''), patient);
    await holds(element);
  };
  for (const given of ['[', '{}', '{"ω":"ψ"}']) await explained(given);
  await settings.update(({ rules: __, ...all }) => all);
  for (const given of ['{"ω":"α"}', '{"ω":"β"}', '{"ω":"γ"}']) await explained(given);
  await rules.put({ decision: 'deny', name: 'δ', when: [{ field: 'ω', text: 'δ' }] });
  await explained('{"ω":"δ"}');
  await rules.put({ decision: 'deny', name: 'ε', when: [{ field: 'ω', host: 'ε.test' }] });
  await explained('{"ω":"ε"}');

  element.rules = { ...rules, list: () => Promise.reject(new Error('όχι')) };
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('rules.notRead')), patient);
  element.rules = undefined;
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('rules.none')), patient);
  expect(missing(['rules'])).toEqual([]);
});
