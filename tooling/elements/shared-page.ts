// The setup of each file of browser tests. These files share a page, because loading one takes longer than most of them.
// Each file starts at the top of an empty page, and fails if it leaves something in it.

import { afterAll, beforeAll, vi } from 'vitest';
import { forbidDoubleUpdates } from './double-updates.ts';
import { pageAttributes, pageContents, restorePage } from './page-contents.ts';

forbidDoubleUpdates();

let before: readonly string[];
let attributes: ReturnType<typeof pageAttributes>;

beforeAll(() => {
  focusTop();
  before = pageContents();
  attributes = pageAttributes();
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  history.replaceState(null, '', location.pathname + location.search);
  const left = pageContents().filter((part) => !before.includes(part));
  restorePage(attributes); // only this file fails
  if (left.length > 0) throw new Error(`Files share a page, and this one leaves in it:\n${left.join('\n')}`);
});

/** Makes the next key start at the top of the page, not at the last focused element. */
function focusTop(): void {
  const top = document.createElement('span');
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();
  top.remove();
}
