import { expect, it } from 'vitest';
import { storageOptions } from './storage-options.ts';

const given = { quick: false, backend: '', only: '' };

it('measures everything five times if nothing is said', () => {
  const backends = ['memory', 'filesystem', 'indexeddb'];
  expect(storageOptions(given)).toEqual({ quick: false, rounds: 5, backends, only: [], patienceMs: 10_000 });
  expect(storageOptions({ ...given, quick: true })).toMatchObject({ rounds: 1, patienceMs: 0 });
});

it.each([
  [{ backend: 'disk' }, '--backend takes memory, filesystem, indexeddb; got "disk".'],
  [{ only: 'utensil,nobody' }, /^--only takes utensil, .*; got "nobody"\.$/],
  [{ rounds: '0' }, '--rounds takes whole numbers from 1; got "0".'],
])('says which option is wrong: %o', (wrong, message) => {
  expect(() => storageOptions({ ...given, ...wrong })).toThrow(message);
});
