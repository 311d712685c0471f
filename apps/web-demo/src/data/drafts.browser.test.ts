import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newConversation, openDrafts } from './drafts.ts';

const project = 'drafts-test';
const keyOf = (conversation: string): string => `utensil-web-demo/draft/${project}/${conversation}`;
const flush = (): boolean => dispatchEvent(new Event('pagehide'));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

it('says that a draft is not stored although another one is, and tries again', () => {
  const drafts = openDrafts(project);
  const setItem = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, key, value) {
    if (value.length > 1_000) throw new DOMException('Full.', 'QuotaExceededError');
    setItem.call(this, key, value);
  });
  drafts.change('one', { text: 'x'.repeat(2_000) });
  drafts.change('other', { text: 'short' });
  flush();
  expect(drafts.isKept()).toBe(false);
  expect(localStorage.getItem(keyOf('other'))).toContain('short');
  vi.restoreAllMocks();
  drafts.change('other', { text: 'shorter' });
  flush();
  expect(drafts.isKept()).toBe(true);
  expect(localStorage.getItem(keyOf('one'))).toContain('xxx');
});

it('keeps the draft of a new conversation when another tab writes or sends one of its own', () => {
  const drafts = openDrafts(project);
  drafts.change(newConversation, { text: 'of this tab' });
  flush();
  localStorage.setItem(keyOf(newConversation), JSON.stringify({ text: 'of another tab' }));
  expect(openDrafts(project).of(newConversation).text).toBe('of this tab'); // as after a reload

  drafts.take(newConversation);
  expect(localStorage.getItem(keyOf(newConversation))).toContain('of another tab');
  expect(openDrafts(project).of(newConversation).text).toBe('');
});

it('gives a tab that has none yet the draft of a tab that was closed', () => {
  openDrafts(project).change(newConversation, { text: 'of a closed tab' });
  flush();
  sessionStorage.clear();
  expect(openDrafts(project).of(newConversation).text).toBe('of a closed tab');
});
