import type { Message, Part } from '@utensil/core';
import { expect, it } from 'vitest';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilThread } from './thread.ts';

/** The text of an element and of those that it is made of. */
function deepText(root: Element | ShadowRoot): string {
  const own = root instanceof Element && root.shadowRoot !== null ? deepText(root.shadowRoot) : '';
  const inside = [...root.children].filter((each) => each.localName !== 'style').map(deepText);
  const words = [...root.childNodes].filter((each) => each.nodeType === Node.TEXT_NODE).map((each) => each.textContent);
  return [own, ...words, ...inside].join(' ');
}

const said = (id: string, role: Message['role'], ...parts: readonly Part[]): Message => ({
  id,
  role,
  parts,
  createdAt: 0,
});

it('shows the results of a vendor’s own search, without the data that only the vendor can read', async () => {
  const output = [
    { url: 'https://tea.example/a', title: 'Tea <b>for</b> all', encrypted_content: 'EqgfCioIARgB' },
    { url: 'javascript:alert(1)', title: 'Two', encrypted_content: 'EqgfCioIARgC' },
  ];
  const of = { callId: 's', name: 'web_search' };
  const element = await mount(UtensilThread, {
    messages: [
      said('u', 'user', { type: 'text', text: 'Look.' }),
      said(
        'a',
        'assistant',
        { type: 'tool-call', ...of, input: { query: 'tea' }, executedBy: 'provider' },
        { type: 'provider-result', ...of, output, isError: false },
        { type: 'text', text: 'Found.' },
      ),
    ],
  });
  element.style.blockSize = '600px';
  const call = (): (HTMLElement & { open: boolean }) | null => element.renderRoot.querySelector('utensil-call');
  await expect.poll(call).not.toBeNull();
  Object.assign(call() ?? {}, { open: true });
  await expect.poll(() => deepText(element)).toContain('https://tea.example/a');
  expect(deepText(element)).toContain('Tea <b>for</b> all');
  expect(deepText(element)).not.toContain('EqgfCioIARgB');
  expect(element.renderRoot.querySelectorAll('utensil-call')).toHaveLength(1);
  expect([...element.renderRoot.querySelectorAll('a')]).toEqual([]);
  expect(await accessibilityProblems(element)).toEqual([]);
});
