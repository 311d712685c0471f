import { expect, it } from 'vitest';
import { storagePlan } from './plan.ts';

it('measures everything five times if nothing is said', () => {
  const backends = ['memory', 'filesystem', 'indexeddb'];
  expect(storagePlan({})).toMatchObject({ quick: false, rounds: 5, backends, patienceMs: 10_000 });
  expect(storagePlan({ quick: true })).toMatchObject({ rounds: 1, patienceMs: 0 });
});

it.each([
  [{ backend: 'disk' }, '--backend takes memory, filesystem, indexeddb; got "disk".'],
  [{ only: 'utensil,nobody' }, /^--only takes utensil, .*; got "nobody"\.$/],
  [{ rounds: '0' }, '--rounds takes whole numbers from 1; got "0".'],
])('says which option is wrong: %o', (wrong, message) => {
  expect(() => storagePlan(wrong)).toThrow(message);
});
