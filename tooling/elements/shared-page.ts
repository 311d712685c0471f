// The setup of each file of browser tests. Those files share a page, as to load it anew takes longer than most of them: so
// each begins at the top of an empty one, and fails if it leaves something in it.

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
  restorePage(attributes); // only this file is to fail
  if (left.length > 0) throw new Error(`A page is shared, and this file leaves in it:\n${left.join('\n')}`);
});

/** The next key is for the beginning of the page, not for the place that had the focus last. */
function focusTop(): void {
  const top = document.createElement('span');
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus();
  top.remove();
}
