import { expect, it, onTestFinished } from 'vitest';
import { mount } from '../../../../tooling/elements/mount.ts';
import { UtensilThread } from '../thread/thread.ts';
import { UtensilValue } from '../value/value.ts';
import { provideTexts } from './provide.ts';
import type { SomeTexts } from './texts.ts';

const german: SomeTexts = { locale: 'de', thread: { empty: 'Noch keine Nachrichten' }, value: { copy: 'Kopieren' } };

const shownBy = async (element: UtensilThread | UtensilValue): Promise<string> => {
  await element.updateComplete;
  return element.renderRoot.textContent.replaceAll(/\s+/g, ' ');
};

function rootIn(parent: Node = document.body): HTMLElement {
  const root = document.createElement('div');
  parent.appendChild(root);
  onTestFinished(() => root.remove());
  return root;
}

it('gives an element the texts of its nearest ancestor before and after they are provided, and English again', async () => {
  const root = rootIn();
  const thread = root.appendChild(new UtensilThread());
  expect(await shownBy(thread)).toContain('No messages yet');
  const stop = provideTexts(root, german);
  expect(await shownBy(thread)).toContain('Noch keine Nachrichten');
  const inner = root.appendChild(document.createElement('div'));
  provideTexts(inner, { thread: { empty: 'Rien' } });
  inner.append(thread);
  expect(await shownBy(thread)).toContain('Rien');
  root.append(thread);
  expect(await shownBy(thread)).toContain('Noch keine Nachrichten');
  stop();
  expect(await shownBy(thread)).toContain('No messages yet');
});

it('lets the last texts of a root decide, and those before again when they go', async () => {
  const root = rootIn();
  provideTexts(root, german);
  const stop = provideTexts(root, { thread: { empty: 'Rien' } });
  const thread = root.appendChild(new UtensilThread());
  expect(await shownBy(thread)).toContain('Rien');
  stop();
  expect(await shownBy(thread)).toContain('Noch keine Nachrichten');
});

it('keeps the texts of two roots on a page apart, and English outside of both', async () => {
  const [one, other] = [rootIn(), rootIn()];
  provideTexts(one, german);
  provideTexts(other, { value: { copy: 'Copier' } });
  const values = [one, other].map((root) => root.appendChild(Object.assign(new UtensilValue(), { value: 'a' })));
  const plain = await mount(UtensilValue, { value: 'a' });
  expect(await Promise.all([...values, plain].map(shownBy))).toEqual([
    expect.stringContaining('Kopieren'),
    expect.stringContaining('Copier'),
    expect.stringContaining('Copy'),
  ]);
});

it('reaches elements in shadow roots, closed ones too', async () => {
  const root = rootIn();
  const inside = rootIn(rootIn(root).attachShadow({ mode: 'closed' }));
  const thread = inside.appendChild(new UtensilThread());
  provideTexts(root, german);
  expect(await shownBy(thread)).toContain('Noch keine Nachrichten');
});

it('shows messages again in another language, though none of them changed', async () => {
  const root = rootIn();
  root.style.blockSize = '400px';
  const parts = [{ type: 'text', text: 'Hi' }] as const;
  const messages = [
    { id: 'a', role: 'assistant', parts, createdAt: 0, usage: { inputTokens: 1_000, outputTokens: 234 } },
  ];
  const thread = root.appendChild(Object.assign(new UtensilThread(), { messages }));
  thread.style.blockSize = '300px';
  await expect.poll(() => shownBy(thread)).toMatch(/Regenerate.*1,234 tokens/);
  provideTexts(root, { locale: 'de', thread: { regenerate: 'Neu erzeugen', tokens: (count) => `${count} Token` } });
  await expect.poll(() => shownBy(thread)).toMatch(/Neu erzeugen.*1234 Token/);
});

it('rejects an invalid language when it is set, not when something is shown', () => {
  expect(() => provideTexts(rootIn(), { locale: 'not a language' })).toThrow(RangeError);
});
