import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { pseudoLocale, pseudoPage } from '../../../../tooling/elements/pseudo.ts';
import { App } from '../app.tsx';
import { services } from '../data/services.ts';
import { englishConnections } from './connections.ts';
import * as english from './english.ts';
import { englishMcpServers } from './mcp-servers.ts';
import { provideAppTexts } from './texts.ts';

const patient = { timeout: 100_000 };

const { locale: _, formats: __, ...tables } = english;
const { texts, places } = pseudoLocale({ ...tables, ...englishConnections, ...englishMcpServers });

// Data of the app in Latin letters: commands, models and addresses.
const data = [...services.flatMap(({ models, address = '' }) => [...models, address])].filter((each) => each !== '');
const escaped = data.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
const { shown, holds, press } = pseudoPage(
  new RegExp([...escaped, '^(?:summarise|replace|remember|run|write) [^⟦]*$', '^Create [^⟦]*$'].join('|'), 'gu'),
);

const root = document.createElement('div');
const app = createRoot(root);

/** The page of the app holds no other text. Elements are left out: they are tried with texts of their own. */
async function looks(): Promise<void> {
  await expect.poll(() => root.textContent).not.toBe('');
  await holds(Object.assign(root.cloneNode(true) as HTMLElement, { updateComplete: Promise.resolve() }));
}

/** Looks until these texts were seen. */
async function comes(...wanted: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      await looks();
      for (const place of wanted) expect([...shown]).toContain(place);
    },
    { ...patient, interval: 50 },
  );
}

const open = (name: string, project = 'first'): void => void (location.hash = `#/${name}/${project}`);

/** Fills in a field, as a person would. */
async function fill(id: string, value: string): Promise<void> {
  await expect.poll(() => document.getElementById(id)).not.toBeNull();
  await page.elementLocator(document.getElementById(id) ?? root).fill(value);
}

function drop(...files: readonly File[]): void {
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  root.querySelector('.composer')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
}

beforeAll(async () => {
  document.body.append(root);
  await page.viewport(1200, 800);
  localStorage.setItem('utensil-web-demo/draft/first/new', JSON.stringify({ text: '', attached: ['α'] }));
  provideAppTexts(texts);
  open('chat');
  app.render(createElement(App));
});
afterAll(() => {
  app.unmount();
  root.remove();
  provideAppTexts()(); // elsewhere in this page, elements have their own
});

it('shows the first screen, the menu of projects and their questions in the texts that are provided', async () => {
  await comes('beginning.heading', 'beginning.noModel', 'examples.summary.title', 'composer.lostAttachments');
  await comes('sidebar.noConversations', 'composer.placeholderCommands', 'request.view');
  await press('request.view');
  await comes('request.title', 'request.none', 'app.close');
  await press('app.close');
  root.querySelector<HTMLElement>('.project summary')?.click();
  await press('projects.create');
  await comes('projects.createAction', 'projects.name', 'app.cancel');
  root.querySelector<HTMLInputElement>('dialog.question input')?.focus();
  await page.elementLocator(root.querySelector('dialog.question input') ?? root).fill('β');
  await press('projects.createAction');
  await expect.poll(() => location.hash).not.toContain('first');
  await press('projects.rename');
  await comes('projects.renameTitle');
  await press('app.cancel');
  await press('projects.remove');
  await comes('projects.removeTitle', 'projects.removeText', 'projects.removeAction');
  await press('app.cancel');
  open('chat');
  await comes('projects.firstName');
  expect(shown).toContain('projects.firstName');
});

it('shows a conversation, and what is attached to a message, in the texts that are provided', async () => {
  await expect.poll(() => document.querySelector<HTMLSelectElement>('#project')?.value).toBe('first');
  const attached = [
    new File([new Uint8Array(11 * 2 ** 20)], 'α'),
    new File(['α'.repeat(200_001)], 'β'),
    new File([new Uint8Array([0, 1, 2])], 'γ'),
    new File(['α'], 'δ'),
  ];
  await vi.waitFor(async () => {
    drop(...attached); // again, if the page of another project was still there
    await expect.poll(() => root.querySelector('.attachments')).not.toBeNull();
  }, patient);
  await comes('composer.tooLarge', 'composer.tooLong', 'composer.unknownKind', 'composer.removeAttachment');
  const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('όχι');
  });
  await fill('message', 'γ');
  await comes('composer.draftNotKept');
  write.mockRestore();
  await fill('message', 'γεια');
  await press('composer.send');
  await comes('chat.suggestions', 'chat.messages', 'sidebar.remove');
  await press('sidebar.remove');
  await comes('sidebar.removeTitle', 'sidebar.removeText', 'sidebar.removeAction');
  await press('app.cancel');
  expect(shown).toContain('sidebar.removeAction');
});

it('shows the pages of files and tools in the texts that are provided', async () => {
  open('files');
  await comes('files.heading');
  open('tools');
  await comes('tools.heading', 'tools.lead', 'mcpServers.heading', 'mcpServers.lead', 'mcpServers.add');
  expect(shown).toContain('tools.lead');
});

it('shows the page of models and what can be wrong with a connection in the texts that are provided', async () => {
  open('models');
  await comes('models.heading', 'models.lead', 'keys.byBrowser', 'keys.limits');
  const choose = (id: string): Promise<void> =>
    vi.waitFor(() => {
      const radio = document.getElementById(`service-${id}`) as HTMLInputElement;
      if (!radio.checked) radio.click();
      expect(radio.checked).toBe(true);
    }, patient);
  await choose('openai');
  await comes('keys.label', 'models.model', 'connection.test');
  await press('connection.test');
  await comes('keys.needed');
  await choose('compatible');
  await comes('models.address', 'keys.optional');
  await fill('address', 'ω');
  await comes('models.addressProblem');
  await fill('address', 'http://127.0.0.1:8080/v1');
  await fill('key', 'ω');
  await press('keys.save');
  await comes('keys.saved', 'keys.remove');
  const answers: readonly (readonly [string, Response | Error])[] = [
    ['keyRejected', new Response('', { status: 401 })],
    ['rateLimited', new Response('', { status: 429 })],
    ['failing', new Response('', { status: 500 })],
    ['noModels', new Response('{"data":[]}')],
    ['connected', new Response('{"data":[{"id":"default"}]}')],
    ['notListed', new Response('{"data":[{"id":"μ"}]}')],
    ['noAnswer', new TypeError('όχι')],
  ];
  for (const [place, answer] of answers) {
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
      if (answer instanceof Error) throw answer;
      Object.defineProperty(answer, 'url', { value: 'http://127.0.0.1:8080/v1/models' });
      return answer;
    });
    await press('connection.test');
    await comes(`connection.${place}`);
    asked.mockRestore();
  }
  await comes('serverHelp.compatible.startHere');
  const field = document.getElementById('model');
  if (field instanceof HTMLSelectElement)
    await page.elementLocator(field).selectOptions([...field.options].at(-1)?.value ?? '');
  await comes('models.modelId');
  await fill('passphrase', 'αβγδεζηθικλμν');
  await press('keys.protect');
  await comes('keys.byPassphrase', 'keys.limitsOfPassphrase', 'keys.change', 'keys.unprotect');
  await press('keys.lock');
  await comes('keys.savedLocked', 'keys.unlockHint', 'keys.yourPassphrase');
  await fill('unlock', 'ω');
  await press('keys.unlock');
  await comes('keys.wrongPassphrase');
  open('chat');
  await comes('beginning.beforeModel', 'examples.program.prompt', 'composer.placeholderUnnamed');
  expect(shown).toContain('composer.placeholderUnnamed');
});

/** Texts of failures that this page cannot cause here, and of models that answer: tests in `src/pages` do. */
const elsewhere =
  /^(?:problems|connection|serverHelp|mcpServers|elements|document)\.|\.damaged(?:\.|$)|^examples\.note\.|^app\.(?:openFailed|retry|details|partNotLoaded)$|^chat\.(?:interrupted|stopped)$|^composer\.placeholder$|^keys\.(?:locked|lockedProblem|unreadable)$|^models\.unknownService$|^request\.usage$|^sidebar\.untitled$/;

it('shows every text but those of failures', () => {
  expect(places.filter((place) => !shown.has(place) && !elsewhere.test(place))).toEqual([]);
});
