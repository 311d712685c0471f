import { expect, it } from 'vitest';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilDiff } from './diff.ts';

it('shows what was added and removed, in words too', async () => {
  const element = await mount(UtensilDiff, { oldText: 'one\ntwo\n', newText: 'one\n<b>2</b>\n' });
  const rows = [...element.renderRoot.querySelectorAll('tr')].map((row) => [
    row.className,
    row.textContent.replaceAll(/\s+/g, ' ').trim(),
  ]);
  expect(rows).toEqual([
    ['', '1 1 one'],
    ['removed', '2 - Removed: two'],
    ['added', '2 + Added: <b>2</b>'],
  ]);
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('says that nothing differs', async () => {
  const element = await mount(UtensilDiff, { oldText: 'same', newText: 'same' });
  expect(element.renderRoot.textContent).toContain('No changes');
});
