import {
  createFiles,
  createRecords,
  createRegistry,
  defineTool,
  jsonSchema,
  noUsage,
  openSettings,
  option,
  UtensilError,
  host,
} from '@utensil/core';
import { withGrant, withSeen } from '@utensil/core/settings';
import type { ErrorCode, Part, ProjectFiles, Tool } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { versionedStorage } from '@utensil/storage-versioned';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '../../../../tooling/elements/mount.ts';
import { says, text, usePseudoLocale } from '../../../../tooling/elements/pseudo-scene.ts';
import { UtensilFile } from '../files/file.ts';
import { UtensilFiles } from '../files/files.ts';
import { UtensilSettings } from '../settings/settings.ts';
import { UtensilThread } from '../thread/thread.ts';
import { noRun } from '../view/index.ts';
import type { LiveRun } from '../view/index.ts';
import * as english from './english.ts';
import { provideTexts } from './provide.ts';

const patient = { timeout: 100_000 };

const latinData = /project\.utensil\.json|It needs secrets, which this app does not offer\./gu;
const { locale: _, ...tables } = english;
const { shown, holds, press, missing } = usePseudoLocale({ tables, provide: provideTexts, latinData });

it('shows conversations in the texts that are provided', async () => {
  const element = await mount(UtensilThread, {});
  element.style.blockSize = '700px';
  await holds(element);
  const usage = { ...noUsage, inputTokens: 1, outputTokens: 2, cost: 3 };
  const pieces = Array.from({ length: 300 }, (_, at): Part => text(`α${at}`));
  const many = says('many', 'assistant', ...pieces);
  const data = btoa('a');
  const answer: readonly Part[] = [
    { type: 'reasoning', text: 'α' },
    { type: 'source', url: 'ω:ω' },
    { type: 'image', mediaType: '1/2', url: 'https://9.9.9.9/1' },
    { type: 'image', mediaType: '1/2' },
    { type: 'file', mediaType: '1/2', data },
    { type: 'audio', mediaType: '1/2', data },
    { type: 'resource-link', uri: 'ω:ω', name: 'α', size: 1 },
  ];
  element.messages = [
    says('u', 'user', text('α')),
    { ...says('a', 'assistant', ...answer), usage, origin: { api: 'ω', model: 'μ' } },
  ];
  element.branches = new Map([
    ['u', { index: 0, count: 2 }],
    ['a', { index: 0, count: 2 }],
  ]);
  await expect.poll(() => element.renderRoot.querySelectorAll('article').length).toBe(2);
  await holds(element);
  await press('thread.edit');
  await holds(element);
  await press('thread.cancel');
  const clipboard = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce();
  for (const outcome of ['thread.copied', 'thread.notCopied']) {
    await press('thread.copy');
    await vi.waitFor(() => holds(element).then(() => expect(shown).toContain(outcome)), patient);
    clipboard.mockRejectedValueOnce(new Error('όχι'));
  }
  element.messages = [...element.messages, says('v', 'user', text('β')), many];
  await expect.poll(() => element.renderRoot.textContent).toContain('earlierPieces');
  await holds(element);
  element.renderRoot.querySelector('.scroll')?.scrollTo({ top: 0 });
  await expect.poll(() => element.renderRoot.textContent).toContain('thread.latest');
  await holds(element);
  const live = (more: Partial<LiveRun>): LiveRun => ({ ...noRun, runId: 'r', ...more });
  const streaming = { key: 'k', role: 'assistant', items: [], createdAt: 0, isStreaming: true } as const;
  element.live = live({ status: 'running', messages: [streaming] });
  await holds(element);
  element.scrollToEnd();
  await expect.poll(() => element.renderRoot.textContent).toContain('thread.waits');
  await holds(element);
  const failed = { attempt: 1, until: Infinity };
  for (const code of [...Object.keys(english.retries), 'run_failed'] as ErrorCode[]) {
    for (const retry of [
      { ...failed, code, waitMs: 0 },
      { ...failed, code, waitMs: 2_000 },
      { ...failed, code, waitMs: 0, model: 'μ' },
    ]) {
      element.live = live({ status: 'running', messages: [{ ...streaming, retry }] });
      await holds(element);
    }
  }
  element.live = live({ status: 'running', messages: [{ ...streaming, items: [{ type: 'reasoning', text: 'α' }] }] });
  await expect.poll(() => element.renderRoot.textContent).toContain('thread.thinking');
  await holds(element);
  const question = {
    kind: 'approval',
    questionId: 'q',
    callId: 'c',
    runId: 'r',
    name: 'n',
    title: 'Τ',
    input: {},
    effects: 'read',
  } as const;
  element.live = live({ status: 'running', questions: [question] });
  await holds(element);
  element.messages = [
    says('u', 'user', text('α')),
    { ...says('a', 'assistant', text('α')), incomplete: true },
    says('v', 'user', text('α')),
  ];
  element.live = noRun;
  await expect.poll(() => element.renderRoot.textContent).toContain('ending.interrupted');
  await holds(element);
  for (const status of [
    'aborted',
    'stopped',
    'refused',
    'error',
    'needs-approval',
    'needs-input',
    'needs-results',
  ] as const) {
    element.live = live({ status: 'running' });
    await element.updateComplete;
    element.live = live({ status, error: { code: 'run_failed', message: 'όχι' } });
    await holds(element);
  }
  for (const code of Object.keys(english.failures) as (keyof typeof english.failures)[]) {
    element.live = live({ status: 'running' });
    await element.updateComplete;
    element.live = live({ status: 'error', error: { code, message: 'όχι' } });
    await holds(element);
  }
  element.live = live({ status: 'complete', damage: { code: 'record_corrupt', message: 'όχι' } });
  await holds(element);
  for (const limit of ['steps', 'time', 'tokens', 'cost', 'repeats', 'output-tokens', 'budget'] as const) {
    element.live = live({ status: 'limit', limit });
    await holds(element);
  }
});

it('shows who else has a conversation in the texts that are provided', async () => {
  const element = await mount(UtensilThread, { owner: {} });
  element.style.blockSize = '700px';
  for (const since of [undefined, 0, Date.now()]) {
    element.owner = since === undefined ? {} : { since };
    await holds(element);
  }
  expect([...shown]).toEqual(expect.arrayContaining(['formats.time', 'formats.timeOfDay']));
  element.owner = undefined;
  element.thread = { read: () => Promise.reject(new Error('όχι')) };
  await expect.poll(() => element.renderRoot.textContent).toContain('thread.notRead');
  await holds(element);
});

const toolOf = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    title: 'Τ',
    description: '',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => '',
    ...more,
  });

it('shows settings in the texts that are provided', async () => {
  const number = { label: 'Α', default: 5 };
  const rich = toolOf('rich', {
    ui: { category: 'γ' },
    requires: { secrets: host.secrets },
    options: {
      a: option.number({ ...number, min: 1, max: 9, step: 1 }),
      b: option.number({ ...number, min: 1 }),
      c: option.number({ ...number, max: 9 }),
      d: option.model({ label: 'Μ', default: 'ξ' }),
      e: option.modellist({ label: 'Λ', default: ['ξ', 'μ'] }),
      f: option.modellist({ label: 'Λ', default: [] }),
      g: option.secret({ label: 'Σ' }),
    },
  });
  const registry = createRegistry([]);
  let isFull: Error | undefined;
  const records = createRecords(memoryStorage());
  const store: typeof records = {
    ...records,
    put: (...given) => (isFull ? Promise.reject(isFull) : records.put(...given)),
  };
  const settings = await openSettings(store, 'p', { delayMs: 0 });
  const kept = new Map<string, string>();
  const element = await mount(UtensilSettings, {
    registry,
    settings,
    host: {},
    models: { list: () => [{ id: 'μ', label: 'Μ' }] },
  });
  await holds(element);
  settings.change((all) => withSeen(all, [toolOf('before')]));
  for (let at = 0; at < 70; at++) registry.register(toolOf(`plain_${at}`));
  registry.register(rich);
  settings.change((all) =>
    withGrant(all, 'rich', { toolFingerprint: 'f', expires: 2 ** 52, seal: 's', principal: 'Ω' }),
  );
  await holds(element);
  await page.getByRole('searchbox').fill('ψ');
  await holds(element);
  await page.getByRole('searchbox').fill('');
  for (const opener of element.renderRoot.querySelectorAll<HTMLElement>('.header .opener')) opener.click();
  await holds(element);
  const field = (at: number): HTMLInputElement | null => element.renderRoot.querySelector(`#option-rich-${at}`);
  const type = async (at: number, value: string): Promise<void> => {
    const input = field(at);
    if (input) input.value = value;
    input?.dispatchEvent(new InputEvent('input'));
    await holds(element);
  };
  for (const [at, value] of [
    [0, '99'],
    [0, '1.5'],
    [0, ''],
    [1, '0'],
    [2, '10'],
    [0, '7'],
  ] as const)
    await type(at, value);
  await press('settings.instructions');
  await holds(element);
  element.renderRoot.querySelector<HTMLElement>('[id$=-own]')?.click();
  await holds(element);
  element.secrets = {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    remove: async (key) => void kept.delete(key),
  };
  await holds(element);
  await page.getByLabelText('Σ').fill('α');
  await press('settings.save');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('settings.secretSaved')), patient);
  await press('settings.down');
  await holds(element);
  element.models = { list: () => [] };
  await holds(element);
  for (const problem of [new UtensilError('ENOSPC', 'όχι'), new UtensilError('EACCES', 'όχι'), new Error('όχι')]) {
    isFull = problem;
    settings.change((all) => ({ ...all, tools: { ...all.tools, x: { enabled: Math.random() > 0.5 } } }));
    await element.store();
    await holds(element);
  }
});

it('shows files in the texts that are provided', async () => {
  const storage = versionedStorage(memoryStorage());
  let failure: Error | undefined;
  const own = createFiles(storage.as({ actor: 'α' }));
  const files: ProjectFiles = Object.assign(Object.create(own) as ProjectFiles, {
    write: async (...given: Parameters<ProjectFiles['write']>) => {
      if (failure) throw failure;
      return own.write(...given);
    },
    batch: async (work: Parameters<NonNullable<ProjectFiles['batch']>>[0]) => {
      if (failure) throw failure;
      return own.batch?.(work);
    },
  });
  const element = await mount(UtensilFiles, { files, history: storage.history });
  element.style.blockSize = '700px';
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.empty')), patient);
  const form = async (kind: string, value: string): Promise<void> => {
    if (kind === 'copy' || kind === 'move') await press('files.more');
    await press(`files.${kind}`);
    await holds(element);
    const input = element.renderRoot.querySelector<HTMLInputElement>('#path');
    if (input) input.value = value;
    input?.dispatchEvent(new InputEvent('input'));
    await press('files.confirm');
    await expect.poll(() => element.renderRoot.querySelector('#path')).toBeNull();
    await holds(element);
  };
  await form('newFolder', '/φ');
  await form('newFile', '/α');
  await form('copy', '/β');
  await form('move', '/γ');
  const file = (): HTMLElement & { updateComplete: Promise<unknown> } =>
    element.renderRoot.querySelector('utensil-file') as never;
  const area = page.getByRole('textbox').first();
  await area.fill('α');
  await holds(element);
  await own.write('/γ', 'β');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.changes.stale')), patient);
  for (const error of [new UtensilError('ENOSPC', 'όχι'), new UtensilError('ECONFLICT', 'όχι')]) {
    failure = error;
    await press('files.saveAnyway');
    await vi.waitFor(() => expect(file().shadowRoot?.querySelector('.bad')).not.toBeNull(), patient);
    await holds(element);
  }
  failure = undefined;
  await press('files.discard');
  await press('files.versions');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.compareFrom')), patient);
  await press('files.rollBackOf');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.rolledBack')), patient);
  await own.write('/δ', Uint8Array.of(0, 1, 2));
  element.path = '/δ';
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.noPreview')), patient);
  await press('files.versions');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.noVersions')), patient);
  await own.write('/δ', 'α'.repeat(2_000_001));
  await press('files.versions');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.tooLong')), patient);
  await press('files.versions');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.noDifference')), patient);
  const pick = async (selector: string, ...given: readonly File[]): Promise<void> => {
    const input = element.renderRoot.querySelector<HTMLInputElement>(selector);
    const transfer = new DataTransfer();
    for (const each of given) transfer.items.add(each);
    if (input) input.files = transfer.files;
    input?.dispatchEvent(new Event('change'));
    await expect.poll(() => element.renderRoot.querySelector('.said')).not.toBeNull();
    await holds(element);
  };
  await pick('#upload', new File(['α'], 'ε'), new File(['α'], 'ζ'));
  await press('files.more');
  await holds(element);
  await press('files.export');
  await expect.poll(() => element.renderRoot.textContent).toContain('files.exported');
  await holds(element);
  const { exported } = await import('../files/actions.ts');
  const bundle = new File([await exported(own)], 'α');
  await pick('#bundle', bundle);
  await expect.poll(() => element.renderRoot.textContent).toContain('files.replaceExisting');
  await holds(element);
  const comes = (place: string): Promise<void> =>
    vi.waitFor(async () => {
      await holds(element);
      expect(shown).toContain(`files.${place}`);
    }, patient);
  await press('files.replaceExisting');
  await comes('importedOver');
  const bring = async (place: string, content: string): Promise<void> => {
    await pick('#bundle', new File([content], 'α'));
    await comes(place);
  };
  const exportOf = (...entries: readonly object[]): string =>
    JSON.stringify({ format: 'utensil-bundle', version: 1, sections: {}, entries });
  await bring('importNothing', '');
  await bring('noProject', 'α');
  await bring('importEmpty', exportOf());
  await bring('imported', exportOf({ path: '/ι', text: 'α' }));
  await bring('importExists', exportOf({ path: '/ι', text: 'α' }));
  await press('files.importOthers');
  await comes('importKnown');
  await pick('#bundle', new File([exportOf({ path: '/ι', text: 'α' }, { path: '/κ', text: 'α' })], 'α'));
  await press('files.importOthers');
  await comes('importedSome');
  await pick('#bundle', new File([exportOf({ path: '/φ', text: 'α' })], 'α'));
  await press('files.replaceExisting');
  await comes('irreplaceable');
  await bring('importNewer', exportOf().replace('"version":1', '"version":9'));
  await bring('importDamaged', exportOf({ path: '/λ', text: 'α' }).slice(0, -9));
  for (const [place, error] of [
    ['importTooLarge', new UtensilError('EFBIG', 'όχι')],
    ['importFull', new UtensilError('ENOSPC', 'όχι')],
    ['importConflict', new UtensilError('ECONFLICT', 'όχι')],
    ['notImported', new Error('όχι')],
  ] as const) {
    failure = error;
    await bring(place, exportOf({ path: '/μ', text: 'α' }));
  }
  failure = undefined;
  vi.spyOn(Blob.prototype, 'text').mockReturnValueOnce(new Promise(() => {}));
  await bring('importing', exportOf());
  for (const path of ['/ι', '/κ']) await own.remove(path);
  for (const path of ['/γ', '/φ']) {
    element.path = path;
    await holds(element);
    await press('files.more');
    await press('files.remove');
    await holds(element);
    element.renderRoot.querySelector<HTMLElement>('[role=alert] button')?.click();
    await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.trashed')), patient);
  }
  await press('files.more');
  await press('files.trash');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.trashedFolder')), patient);
  await own.write('/γ', 'α');
  await press('files.restoreOf /γ');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.restoredAs')), patient);
  await press('files.restoreOf');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.restored')), patient);
  await own.remove('/ζ');
  element.history = { ...storage.history };
  await vi.waitFor(() =>
    holds(element).then(() =>
      expect(element.renderRoot.querySelector('utensil-trash')?.shadowRoot?.textContent).toContain('files.purge'),
    ),
  );
  await press('files.purgeOf');
  await holds(element);
  await press('files.purge⟧');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.purged')), patient);
  await own.remove('/ε');
  const trashed = { id: 'τ', path: '/τ', removedAt: 0 } as const;
  const kinds = [
    { ...trashed, kind: 'versions', reason: 'removed' },
    { ...trashed, kind: 'file', reason: 'replaced' },
  ] as const;
  element.history = { ...storage.history, trash: async () => kinds };
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.replaced')), patient);
  element.history = { ...storage.history, compact: async () => ({ versions: 1, trashed: 0 }) };
  await press('files.tidyUp');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.tidied')), patient);
  element.history = { ...storage.history };
  await press('files.tidyUp');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.nothingOld')), patient);
  element.history = { ...storage.history, compact: () => new Promise<never>(() => {}) };
  await press('files.tidyUp');
  await holds(element);
  element.history = { ...storage.history };
  await expect
    .poll(() => element.renderRoot.querySelector('utensil-trash')?.shadowRoot?.querySelector('[disabled]'))
    .toBeNull();
  await press('files.emptyTrash');
  await holds(element);
  await press('files.purge⟧');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.emptied')), patient);
});

it('shows files without a history, and lost versions, in the texts that are provided', async () => {
  const files = createFiles(memoryStorage());
  await files.write('/α', 'β');
  const element = await mount(UtensilFiles, { files, path: '/α' });
  const erased = { number: 1, id: 'ε', size: 0, modifiedAt: 0, isErased: true };
  const history = {
    ...versionedStorage(memoryStorage()).history,
    versions: async () => [erased, { ...erased, id: 'current' }],
  };
  element.history = history;
  await element.updateComplete;
  element.path = '/α';
  await page.getByRole('treeitem').click();
  await expect
    .poll(() => element.renderRoot.querySelector('utensil-file')?.shadowRoot?.querySelector('textarea'))
    .not.toBeNull();
  await press('files.versions');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.erased')), patient);
  await press('files.versions');
  await page.getByRole('textbox').fill('γ');
  await files.remove('/α');
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.changes.gone')), patient);
  element.history = undefined;
  await files.write('/β', 'β');
  await page.getByRole('treeitem').click();
  await press('files.more');
  await press('files.remove');
  await holds(element);
  element.renderRoot.querySelector<HTMLElement>('[role=alert] button')?.click();
  await vi.waitFor(() => holds(element).then(() => expect(shown).toContain('files.removed')), patient);
  const gone = await mount(UtensilFile, { files, path: '/ω' });
  await vi.waitFor(() => holds(gone).then(() => expect(shown).toContain('files.gone')), patient);
});

it('shows every text of these elements', () => {
  const groups = ['thread', 'ending', 'failures', 'limits', 'settings', 'files'];
  expect(missing(groups)).toEqual([]);
});
