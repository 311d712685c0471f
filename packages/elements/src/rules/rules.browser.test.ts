import { createRecords, createRegistry, defineTool, hmacSeals, jsonSchema, openSettings } from '@utensil/core';
import type { RecordStore, SettingsStore } from '@utensil/core';
import { settingsRules } from '@utensil/core/guard';
import type { Rule, SettingsRules } from '@utensil/core/guard';
import { withGrant } from '@utensil/core/settings';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilRules } from './rules.ts';

const seals = hmacSeals(new Uint8Array(32).fill(1));
const admin: readonly Rule[] = [{ decision: 'deny', when: [{ field: ['path', 'paths'], path: '.env*' }] }];

const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } as const;
const ran: unknown[] = [];
const registry = createRegistry([
  defineTool({
    name: 'edit_file',
    title: 'Edit a file',
    description: '',
    input: jsonSchema(path),
    effects: 'write',
    ui: { category: 'files' },
    execute: (given) => void ran.push(given),
  }),
  defineTool({
    name: 'shell',
    description: '',
    input: jsonSchema({ type: 'object', properties: { command: { type: 'string' } } }),
    effects: 'destructive',
    execute: (given) => void ran.push(given),
  }),
]);

interface Opened {
  readonly records: RecordStore;
  readonly settings: SettingsStore;
  readonly rules: SettingsRules;
}

/** The rules of a project, as one tab has them. */
async function opened(records: RecordStore = createRecords(memoryStorage())): Promise<Opened> {
  const settings = await openSettings(records, 'p');
  return { records, settings, rules: settingsRules(settings, { seals, scope: 'p', admin }) };
}

async function shown(more: Partial<UtensilRules> = {}, from?: Opened) {
  const { rules, settings, records } = from ?? (await opened());
  const element = await mount(UtensilRules, { rules, settings, registry, projectId: 'p', ...more });
  return { element, rules, settings, records };
}

const hasFocus = (element: UtensilRules, wanted: ReturnType<typeof page.getByRole>) =>
  expect.poll(() => element.shadowRoot?.activeElement === wanted.element()).toBe(true);

/** A failed `expect.element` would print the whole content of the elements, and stop the page. */
const textOf = (element: UtensilRules): string => element.renderRoot.textContent?.replaceAll(/\s+/g, ' ') ?? '';
const sees = (element: UtensilRules, words: string) => expect.poll(() => textOf(element)).toContain(words);
const seesNot = (element: UtensilRules, words: string) => expect.poll(() => textOf(element)).not.toContain(words);

const rulesIn = ({ settings }: Pick<Opened, 'settings'>): readonly Rule[] =>
  (settings.current().rules ?? []).map(({ rule }) => rule);

it('adds a rule by keyboard alone, whose form can be read by everybody', async () => {
  const { element, settings } = await shown();
  await sees(element, '.env*');
  expect(await accessibilityProblems(element)).toEqual([]);
  page.getByRole('button', { name: 'Add a rule' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await hasFocus(element, page.getByRole('radio', { name: 'Ask first' }));
  await userEvent.keyboard('{Tab}shell');
  await page.getByRole('combobox', { name: 'Only if the input has' }).selectOptions('a command');
  expect(element.renderRoot.querySelector<HTMLInputElement>('#fields')?.value).toBe('command');
  await page.getByRole('textbox', { name: 'Patterns' }).fill('git push*\nnpm publish*');
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.getByRole('button', { name: 'Save rule' }).click();
  await sees(element, 'shell: git push*, npm publish*');
  expect(rulesIn({ settings })).toEqual([
    { decision: 'ask', tool: 'shell', when: [{ field: 'command', command: ['git push*', 'npm publish*'] }] },
  ]);
  await hasFocus(element, page.getByRole('button', { name: 'Add a rule' }));
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('rejects a malformed pattern with a reason next to its field, and stores nothing', async () => {
  const { element, settings } = await shown();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('combobox', { name: 'Only if the input has' }).selectOptions('a host');
  const patterns = page.getByRole('textbox', { name: 'Patterns' });
  await patterns.fill('example.com\nhttps://shop.example/x');
  const wrong = (id: string) =>
    expect.poll(() => element.renderRoot.querySelector(`#${id}-problem`)?.textContent.trim());
  await wrong('patterns').toContain('https://shop.example/x is not a host');
  expect(patterns.element().getAttribute('aria-invalid')).toBe('true');
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.getByRole('button', { name: 'Save rule' }).click();
  await hasFocus(element, patterns);
  expect(rulesIn({ settings })).toEqual([]);
  await patterns.fill('');
  await wrong('patterns').toBe('Enter a pattern.');
  await patterns.fill('*.example.com');
  await page.getByLabelText('Until').fill('2020-01-01T10:00');
  await wrong('until').toContain('Choose a later time.');
  await page.getByLabelText('Until').fill('2999-01-01T10:00');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect
    .poll(() => rulesIn({ settings }))
    .toMatchObject([{ when: [{ host: '*.example.com' }], expires: expect.any(Number) }]);
});

it('shows the rules of the administrator and lets nobody change them', async () => {
  const { element, rules } = await shown();
  await rules.put({ decision: 'allow', tool: 'edit_file' });
  await sees(element, 'edit_file Yours');
  const rows = [...element.renderRoot.querySelectorAll('li')];
  expect(rows.map((row) => [row.querySelector('.about')?.textContent, row.querySelectorAll('button').length])).toEqual([
    ['Set by the administrator', 0],
    ['Yours', 2],
  ]);
});

it('edits a rule in its place, keeps what the form does not show, and gives the focus back', async () => {
  const { rules, settings, element } = await shown();
  const id = await rules.put({ decision: 'deny', name: 'Nothing secret', tool: 'shell', reason: 'Ask me.' });
  await rules.put({ decision: 'deny', tool: 'b' });
  await page.getByRole('button', { name: 'Edit: Nothing secret' }).click();
  await page.getByRole('radio', { name: 'Allow' }).click();
  await page.getByRole('button', { name: 'Save rule' }).click();
  await hasFocus(element, page.getByRole('button', { name: 'Edit: Nothing secret' }));
  expect(settings.current().rules?.[0]).toMatchObject({
    id,
    rule: { decision: 'allow', name: 'Nothing secret', tool: 'shell', reason: 'Ask me.' },
    seal: expect.any(String),
  });
  await page.getByRole('button', { name: 'Edit: b' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await hasFocus(element, page.getByRole('button', { name: 'Edit: b' }));
  await page.getByRole('button', { name: 'Remove: b' }).click();
  await expect.poll(() => rulesIn({ settings })).toHaveLength(1);
  expect(element.shadowRoot?.activeElement).not.toBeNull();
});

it('loses nothing if two tabs edit at once, and shows the rules that the other has stored', async () => {
  const one = await opened();
  const two = await opened(one.records);
  const { element } = await shown({}, one);
  const id = await one.rules.put({ decision: 'ask', tool: 'shell' });
  await page.getByRole('button', { name: 'Edit: shell' }).click();
  await page.getByRole('radio', { name: 'Deny' }).click();
  await two.rules.put({ decision: 'deny', tool: 'from_the_other' });
  await sees(element, 'from_the_other');
  expect(element.renderRoot.querySelectorAll<HTMLInputElement>('input[type=radio]')[2]?.checked).toBe(true); // what is typed stays
  await two.rules.remove(id);
  await expect.poll(() => rulesIn(one)).toHaveLength(1);
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect
    .poll(() => rulesIn(two))
    .toEqual([
      { decision: 'deny', tool: 'from_the_other' },
      { decision: 'deny', tool: 'shell' },
    ]);
});

it('shows what it cannot edit or use, whatever another program has stored, as text', async () => {
  const { element, settings, rules } = await shown();
  const odd = [
    { id: 'scope', rule: { decision: 'deny', tool: 'x', scope: { principal: 'ada' } } },
    { id: 'newer', rule: { decision: 'allow', tool: 'newer', unless: 1 } },
    { id: 'forged', rule: { decision: 'allow', tool: 'forged' } },
    { id: 'far', rule: { decision: 'ask', tool: 'far', expires: 1e300 } },
    { id: 'markup', rule: { decision: 'ask', name: '<img src=x onerror=alert(1)>\u202E' } },
    null,
    JSON.parse('{"id":"p","rule":{"__proto__":{"decision":"allow"}}}'),
  ];
  await settings.update((all) => ({ ...all, rules: odd as never }));
  await sees(element, 'It says more than can be edited here.');
  await sees(element, 'It does not count, as it was not saved in this app.');
  expect(element.renderRoot.querySelectorAll('.edit')).toHaveLength(2);
  expect(element.renderRoot.querySelectorAll('.remove')).toHaveLength(odd.length);
  expect(element.renderRoot.querySelector('img')).toBeNull();
  expect(await accessibilityProblems(element)).toEqual([]);
  for (const each of await rules.list()) if (each.id !== undefined) await rules.remove(each.id);
  await expect.poll(() => element.renderRoot.querySelectorAll('li').length).toBe(1);
});

it('says which rule decides over a call that is tried, and runs nothing', async () => {
  const { element, rules } = await shown();
  await rules.put({ decision: 'allow', tool: 'edit_file', when: [{ field: 'path', path: 'src/**' }] });
  const tried = async (input: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Input as JSON' }).fill(input);
    await page.getByRole('button', { name: 'Which rule decides?' }).click();
  };
  const says = (words: string) => sees(element, words);
  await tried('{"path": "src/a.ts"}');
  await says('Allow: by the rule “edit_file: src/**” (Yours).');
  await tried('{"path": "src/.env"}');
  await says('Deny: by the rule “.env*” (Set by the administrator).');
  await tried('{"path": "a.ts"}');
  await says('No rule decides over this call.');
  await tried('{"path": 5, "x"');
  await says('The input is not a JSON object.');
  await tried('{}');
  await says('This input does not fit the tool.');
  await rules.put({ decision: 'deny', tool: 'shell', when: [{ field: 'command', command: 'rm *' }] });
  await page.getByRole('combobox', { name: 'Tool', exact: true }).selectOptions('shell');
  await tried('{"command": "sudo ls"}');
  await says('the rule “shell: rm *” (Yours) may or may not be about this call');
  expect(ran).toEqual([]);
});

it('lists what is always allowed, for whom and until when, and withdraws one of several', async () => {
  const from = await opened();
  const grant = { toolFingerprint: 'f', expires: 4e12, seal: 'a', scope: 'p' };
  from.settings.change((all) =>
    withGrant(withGrant(all, 'shell', grant), 'shell', { ...grant, seal: 'b', principal: 'ada' }),
  );
  const { element } = await shown({ grants: true }, from);
  await expect.poll(() => textOf(element)).toMatch(/Until .*2096.* Given by ada/);
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.getByRole('button', { name: 'Ask again before shell' }).first().click();
  await expect
    .poll(() => from.settings.current().tools['shell']?.grants)
    .toEqual([{ ...grant, seal: 'b', principal: 'ada' }]);
});

it('says if a rule cannot be stored, keeps what was typed, and stores it when it is tried again', async () => {
  const records = createRecords(memoryStorage());
  let isFull = true;
  const put: RecordStore['put'] = (...given) =>
    isFull ? Promise.reject(new Error('No space is left.')) : records.put(...given);
  const { element, settings } = await shown({}, await opened({ ...records, put }));
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByRole('combobox', { name: 'Tools' }).fill('shell');
  await page.getByRole('button', { name: 'Save rule' }).click();
  await sees(element, 'The change was not saved.');
  await sees(element, 'No space is left.');
  expect(element.renderRoot.querySelector<HTMLInputElement>('#tool')?.value).toBe('shell');
  isFull = false;
  await page.getByRole('button', { name: 'Save rule' }).click();
  await expect.poll(() => rulesIn({ settings })).toEqual([{ decision: 'ask', tool: 'shell' }]);
  await seesNot(element, 'The change was not saved.');
});

it('shows some of a thousand rules, and more if wanted', async () => {
  const from = await opened();
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    id: `${at}`,
    rule: { decision: 'deny', tool: `tool_${at}` } as const,
  }));
  await from.settings.update((all) => ({ ...all, rules: many }));
  const { element } = await shown({}, from);
  const rows = (): number => element.renderRoot.querySelectorAll('li').length;
  await expect.poll(rows).toBe(50);
  await page.getByRole('button', { name: 'Show 951 more rules' }).click();
  await expect.poll(rows).toBe(550);
});
