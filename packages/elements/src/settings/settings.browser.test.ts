import {
  createRecords,
  createRegistry,
  defineTool,
  jsonSchema,
  openSettings,
  option,
  resolveToolset,
  UtensilError,
  host,
} from '@utensil/core';
import { withGrant, withSeen } from '@utensil/core/settings';
import type { RecordStore, SettingsStore, Tool } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilSecret } from './secret.ts';
import { UtensilSettings } from './settings.ts';

const anything = jsonSchema({ type: 'object' });

const toolOf = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({ name, description: '', input: anything, effects: 'read', execute: () => name, ...more });

/** Nothing of the elements knows it. */
const translator = defineTool({
  name: 'translate',
  title: 'Translator',
  description: 'Translates.',
  input: anything,
  effects: 'read',
  ui: { subtitle: 'Texts into other languages', icon: '🌍', category: 'language' },
  options: {
    formal: option.boolean({ label: 'Formal', description: 'Speaks to strangers.', default: true }),
    length: option.number({ label: 'Length', description: 'In words.', default: 50, min: 1, max: 99, step: 1 }),
    into: option.text({ label: 'Into', default: 'French' }),
    glossary: option.longtext({ label: 'Glossary', default: '', placeholder: 'cat = chat' }),
    tone: option.select({
      label: 'Tone',
      default: 'warm',
      choices: [
        { value: 'warm', label: 'Warm' },
        { value: 'dry', label: 'Dry' },
      ],
      migrateFrom: [{ option: 'isDry', equals: true, value: 'dry' }],
    }),
    reader: option.model({ label: 'Reader', default: '' }),
    order: option.modellist({ label: 'Order', description: 'Tried one after another.', default: ['small', 'large'] }),
    key: option.secret({
      label: 'Key',
      description: 'From your account.',
      visibleWhen: { option: 'tone', equals: 'dry' },
    }),
  },
  prompt: 'Translate faithfully.',
  execute: (_input, { into }) => `in ${into}`,
});

const models = { list: () => ['small', 'large', 'huge'].map((id) => ({ id, label: `The ${id} one` })) };

async function opened(records: RecordStore = createRecords(memoryStorage())): Promise<SettingsStore> {
  return openSettings(records, 'project', { delayMs: 0 });
}

function secretsOf(): { readonly kept: Map<string, string> } & NonNullable<UtensilSettings['secrets']> {
  const kept = new Map<string, string>();
  return {
    kept,
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    remove: async (key) => void kept.delete(key),
  };
}

const texts = (element: ParentNode, selector: string): readonly string[] =>
  [...element.querySelectorAll(selector)].map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim());

it('[A0-04] [S0-09] [S0-13] makes controls of every kind of option, named and reached by keyboard, for a tool it knows nothing of', async () => {
  const settings = await opened();
  const kept = secretsOf();
  settings.change((all) => ({ ...all, tools: { translate: { options: { isDry: true } } } }));
  const element = await mount(UtensilSettings, {
    registry: createRegistry([translator]),
    settings,
    models,
    secrets: kept,
  });
  const chosen = (): unknown => settings.current().tools['translate']?.options;
  await expect.element(page.getByRole('radio', { name: 'Dry' })).toBeChecked(); // it was a switch in an older version
  expect(await accessibilityProblems(element)).toEqual([]);

  // By keyboard alone, from the first control to the last.
  await userEvent.keyboard('{Tab}');
  const reached: string[] = [];
  for (let tabs = 0; tabs < 30; tabs++) {
    await userEvent.keyboard('{Tab}');
    const name = deepFocus();
    if (name === undefined) break;
    reached.push(name);
  }
  const wanted = [
    'Translator',
    'Formal',
    'Length',
    'Into',
    'Glossary',
    'Dry',
    'Reader',
    'Key',
    'Instructions: Translator',
  ];
  expect(wanted.filter((name) => !reached.includes(name))).toEqual([]);
  expect(reached).toContain('Move up: The large one');

  await page.getByRole('checkbox', { name: 'Formal' }).click();
  await page.getByRole('spinbutton', { name: 'Length' }).fill('7');
  await page.getByRole('textbox', { name: 'Into' }).fill('Welsh');
  await page.getByRole('textbox', { name: 'Glossary' }).fill('cat = cath');
  await page.getByRole('combobox', { name: 'Reader' }).selectOptions('The huge one');
  await page.getByRole('textbox', { name: 'Key' }).fill('s3cret');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('Saved. It is never shown.')).toBeVisible();
  await page.getByRole('radio', { name: 'Warm' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Key' })).not.toBeInTheDocument();
  const up = page.getByRole('button', { name: 'Move up: The large one' });
  up.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => deepFocus()).toBe('Move up: The large one'); // it stays with the moved model
  await expect.poll(chosen).toEqual({
    isDry: true,
    formal: false,
    length: 7,
    into: 'Welsh',
    glossary: 'cat = cath',
    tone: 'warm',
    reader: 'huge',
    order: ['large', 'small'],
  });
  expect(Object.fromEntries(kept.kept)).toEqual({ 'translate.key': 's3cret' });
  expect(document.body.innerHTML + element.renderRoot.textContent).not.toContain('s3cret');

  // Options are visible while the tool is on, and are restored unchanged.
  await page.getByRole('switch', { name: 'Translator' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Into' })).not.toBeInTheDocument();
  await page.getByRole('switch', { name: 'Translator' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Into' })).toHaveValue('Welsh');
  await page.getByRole('button', { name: 'Reset Into to its default' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Into' })).toHaveValue('French');
});

it('[A1-06] switches, stores, describes and runs a new tool with nothing but the tool itself', async () => {
  const records = createRecords(memoryStorage());
  const settings = await opened(records);
  const registry = createRegistry([translator]);
  await mount(UtensilSettings, { registry, settings });
  const request = { model: { api: 'openai-chat', id: 'any' }, projectId: 'project' };
  const now = async (): Promise<unknown> => {
    const toolset = resolveToolset(registry, (await opened(records)).current(), {});
    const context = { projectId: 'project', runId: '1', callId: '1', signal: new AbortController().signal };
    const { output } = await toolset.execute({ name: 'translate', input: {} }, context);
    return [await toolset.prompts(request), output];
  };
  await page.getByRole('switch', { name: 'Translator' }).click();
  await settings.flush();
  expect(await now()).toEqual([[], 'Unknown tool: translate']);
  await page.getByRole('switch', { name: 'Translator' }).click();
  await page.getByRole('textbox', { name: 'Into' }).fill('Welsh');
  await settings.flush();
  expect(await now()).toEqual([['Translate faithfully.'], 'in Welsh']);
  await page.getByRole('button', { name: 'Instructions: Translator' }).click();
  await page.getByRole('checkbox', { name: 'Use my own instructions' }).click();
  await page.getByRole('textbox', { name: 'Instructions for Translator' }).fill('Be brief.');
  await settings.flush();
  expect(await now()).toEqual([['Be brief.'], 'in Welsh']);
});

const netOf = (name: string, more: Partial<Tool> = {}): Tool => toolOf(name, { ui: { category: 'internet' }, ...more });

it('[S1-22] [S1-23] [S4-13] groups every tool under headers that open by keyboard, with a switch for all', async () => {
  const settings = await opened();
  const registry = createRegistry([
    netOf('search', { title: 'Search', ui: { category: 'internet', subtitle: 'Finds pages' } }),
    netOf('fetch'),
    toolOf('read', { ui: { category: 'files' } }),
    toolOf('hidden', { internal: true }),
    toolOf('clock'),
  ]);
  const element = await mount(UtensilSettings, { registry, settings });
  expect(texts(element.renderRoot, '.title')).toEqual(['Internet', 'Files', 'Other tools']);
  expect(texts(element.renderRoot, '.tool label')).toEqual(['Search', 'fetch', 'read', 'clock']);
  const header = page.getByRole('button', { name: /^Internet/ });
  await expect.element(header).toHaveAttribute('aria-expanded', 'true');
  header.element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(header).toHaveAttribute('aria-expanded', 'false');
  expect(texts(element.renderRoot, '.tool label')).toEqual(['read', 'clock']); // nothing of it can be reached
  await userEvent.keyboard(' ');

  await page.getByRole('switch', { name: 'Search' }).click();
  const all = page.getByRole('checkbox', { name: 'All Internet tools' });
  expect((all.element() as HTMLInputElement).indeterminate).toBe(true);
  await expect.element(header).toMatchTextContent('1 of 2 on');
  await all.click();
  await expect.element(page.getByRole('switch', { name: 'Search' })).toBeChecked();
  await all.click();
  await expect.element(header).toMatchTextContent('0 of 2 on');
  registry.register(netOf('later'));
  await expect.element(page.getByRole('switch', { name: 'later' })).not.toBeChecked(); // as its category
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('[S3-10] has switches alone for a popover, described, and at rest while a message is made', async () => {
  const settings = await opened();
  const registry = createRegistry([translator]);
  const element = await mount(UtensilSettings, { registry, settings, compact: true });
  const control = page.getByRole('switch', { name: 'Translator' });
  await expect.element(control).toHaveAccessibleDescription('Texts into other languages');
  expect(element.renderRoot.querySelector('.options')).toBeNull();
  element.busy = true;
  await expect.element(control).toBeDisabled();
  element.busy = false;
  await control.click();
  expect(settings.current().tools['translate']?.enabled).toBe(false);
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('explains a number that does not fit, and does not store it', async () => {
  const settings = await opened();
  const element = await mount(UtensilSettings, { registry: createRegistry([translator]), settings });
  const field = page.getByRole('spinbutton', { name: 'Length' });
  for (const wrong of ['100', '2.5', '-']) {
    await userEvent.clear(field);
    await userEvent.type(field, wrong);
    await expect.element(field).toHaveAttribute('aria-invalid', 'true');
    await expect.element(field).toHaveAccessibleDescription(/In words\. Length must be .*\. It is still \d+\./);
  }
  expect(await accessibilityProblems(element)).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, '42');
  await expect.element(field).toHaveAttribute('aria-invalid', 'false');
  expect(settings.current().tools['translate']?.options).toEqual({ length: 42 });
});

it('lets a number be typed, digit by digit', async () => {
  const settings = await opened();
  const options = { share: option.number({ label: 'Share', default: 1, min: 0, max: 1 }) };
  await mount(UtensilSettings, { registry: createRegistry([toolOf('mix', { options })]), settings });
  const field = page.getByRole('spinbutton', { name: 'Share' });
  await userEvent.clear(field);
  await userEvent.type(field, '0.05');
  await expect.element(field).toHaveValue(0.05);
  expect(settings.current().tools['mix']?.options).toEqual({ share: 0.05 });
  await userEvent.keyboard('{Tab}');
  await page.getByRole('button', { name: 'Reset Share to its default' }).click();
  await expect.element(field).toHaveValue(1);
});

it('says why a tool cannot be used, and which tools are new', async () => {
  const settings = await opened();
  const old = toolOf('old', { requires: { secrets: host.secrets } });
  settings.change((all) => withSeen(all, [old]));
  const element = await mount(UtensilSettings, {
    registry: createRegistry([old, toolOf('young')]),
    settings,
    host: {},
  });
  await expect
    .element(page.getByRole('switch', { name: 'old' }))
    .toHaveAccessibleDescription('Unavailable: It needs secrets, which this app does not offer.');
  expect(texts(element.renderRoot, '.badge')).toEqual(['New']);
  await expect.poll(() => settings.current().seen).toEqual(['old', 'young']);
  expect(texts(element.renderRoot, '.badge')).toEqual(['New']); // as long as the page is open
});

it('lists what runs without being asked about, and lets that be taken back', async () => {
  const settings = await opened();
  settings.change((all) => withGrant(all, 'translate', { toolFingerprint: 'f', expires: 2 ** 52, seal: 's' }));
  const element = await mount(UtensilSettings, { registry: createRegistry([translator]), settings });
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.getByRole('button', { name: 'Ask again before Translator' }).click();
  await expect.element(page.getByText('Always allowed')).not.toBeInTheDocument();
  expect(settings.current().tools['translate']?.grants).toBeUndefined();
});

it('keeps what cannot be stored, says what to do, and stores it when it is tried again', async () => {
  const records = createRecords(memoryStorage());
  let isFull = true;
  const full: RecordStore = {
    ...records,
    put: (...call) => (isFull ? Promise.reject(new UtensilError('ENOSPC', 'No space is left.')) : records.put(...call)),
  };
  const settings = await opened(full);
  const element = await mount(UtensilSettings, { registry: createRegistry([translator]), settings });
  await page.getByRole('switch', { name: 'Translator' }).click();
  const alert = page.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/not saved yet.*Storage is full/s);
  await expect.element(page.getByRole('switch', { name: 'Translator' })).not.toBeChecked();
  expect(await accessibilityProblems(element)).toEqual([]);
  isFull = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(alert).not.toBeInTheDocument();
  expect((await opened(records)).current().tools['translate']?.enabled).toBe(false);
});

it('says that stored settings could not be read, until that is dismissed', async () => {
  const records = createRecords(memoryStorage());
  await records.put(['settings', 'project'], 'no settings', { ifMatch: null });
  await mount(UtensilSettings, { registry: createRegistry([translator]), settings: await opened(records) });
  await expect.element(page.getByRole('alert')).toMatchTextContent('could not be read');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

it('finds tools among a thousand, of which it draws few', async () => {
  const settings = await opened();
  const tools = Array.from({ length: 1_000 }, (_, index) =>
    toolOf(`tool_${index}`, { title: `Tool number ${index}`, ui: { category: index % 2 === 0 ? 'even' : 'odd' } }),
  );
  const element = await mount(UtensilSettings, { registry: createRegistry(tools), settings });
  const drawn = (): number => element.renderRoot.querySelectorAll('li.tool').length;
  expect(drawn()).toBe(0);
  await page.getByRole('button', { name: /^Even/ }).click();
  expect(drawn()).toBe(50);
  await page.getByRole('button', { name: 'Show 450 more' }).click();
  expect(drawn()).toBe(150);
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('number 77 ODD');
  await expect.element(page.getByRole('status')).toMatchTextContent('14 tools');
  expect(drawn()).toBe(14);
  await page.getByRole('switch', { name: 'Tool number 777' }).click();
  expect(settings.current().tools['tool_777']?.enabled).toBe(false);
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('shows the texts of tools as plain text', async () => {
  const settings = await opened();
  const evil = '<img src=x onerror="globalThis.broken = true">';
  const registry = createRegistry([
    toolOf('evil', {
      title: evil,
      ui: { subtitle: evil, icon: evil, category: evil },
      options: { a: option.text({ label: evil, description: evil, default: evil }) },
    }),
  ]);
  const element = await mount(UtensilSettings, { registry, settings });
  expect(element.renderRoot.querySelector('img')).toBeNull();
  expect(texts(element.renderRoot, '.tool label')[0]).toBe(evil);
  expect(globalThis).not.toHaveProperty('broken');
});

/** The name of the control that has the focus, in shadow roots too. */
function deepFocus(): string | undefined {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  if (!focused || focused === document.body) return undefined;
  const { ariaLabel, labels, textContent } = focused as HTMLInputElement;
  return ariaLabel ?? labels?.[0]?.textContent.trim() ?? textContent.trim();
}

it('shows texts of untrusted tools as plain text, with invisible characters named', async () => {
  const stranger = toolOf('stranger', {
    title: '<b>Mail</b>\u202egnp',
    ui: { subtitle: 'Reads\u200b it', category: '"><i>' },
    options: { deep: option.boolean({ label: 'Deep\u2066er', description: '\u2067', default: false }) },
  });
  const element = await mount(UtensilSettings, { registry: createRegistry([stranger]), settings: await opened() });
  const text = element.renderRoot.textContent ?? '';
  for (const words of ['<b>Mail</b>⟨U+202E⟩gnp', 'Reads⟨U+200B⟩ it', '"><i>', 'Deep⟨U+2066⟩er', '⟨U+2067⟩'])
    expect(text).toContain(words);
  expect(element.renderRoot.querySelectorAll('b, i')).toHaveLength(0);
});

it('never loses the focus when the focused control disappears', async () => {
  const settings = await opened();
  settings.change((all) => withGrant(all, 'translate', { toolFingerprint: 'f', expires: 2 ** 52, seal: 's' }));
  const element = await mount(UtensilSettings, { registry: createRegistry([translator]), settings });
  await page.getByRole('spinbutton', { name: 'Length' }).fill('7');
  const focused = (): Element | null => element.shadowRoot?.activeElement ?? null;
  page.getByRole('button', { name: 'Reset Length to its default' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => focused()).toHaveProperty('type', 'number');
  page.getByRole('button', { name: 'Ask again before Translator' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => element.renderRoot.querySelector('.revoke')).toBeNull();
  expect(focused()?.textContent).toContain('Instructions');
});

it('[A3-08] has accessible switches, which keep their state when tools or the page are reloaded', async () => {
  const records = createRecords(memoryStorage());
  const registry = createRegistry([translator, toolOf('clock')]);
  const settings = await opened(records);
  const element = await mount(UtensilSettings, { registry, settings });
  const ofTranslator = page.getByRole('switch', { name: 'Translator', exact: true });
  await ofTranslator.click();
  expect(await accessibilityProblems(element)).toEqual([]);

  registry.register({ ...translator, description: 'Translates better.' }, { override: true }); // as a hot reload does
  registry.unregister('clock');
  await expect.element(ofTranslator).not.toBeChecked();
  await settings.flush();
  element.remove();

  await mount(UtensilSettings, { registry: createRegistry([translator]), settings: await opened(records) });
  await expect.element(ofTranslator).not.toBeChecked();
});

it('keeps a secret that is typed while another one is saved', async () => {
  let end = (): void => undefined;
  const set = (): Promise<void> => new Promise((resolve) => (end = resolve));
  await mount(UtensilSecret, { secrets: { ...secretsOf(), set }, keys: ['translate.key'], label: 'Key' });
  const field = page.getByRole('textbox', { name: 'Key' });
  await field.fill('first');
  await page.getByRole('button', { name: 'Save' }).click();
  await field.fill('second');
  end();
  await expect.element(page.getByText('Saved. It is never shown.')).toBeVisible();
  await expect.element(field).toHaveValue('second');
  await page.getByRole('button', { name: 'Save' }).click();
  end();
  await expect.element(field).toHaveValue('');
});
