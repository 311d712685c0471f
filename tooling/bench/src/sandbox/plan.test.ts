import { expect, it } from 'vitest';
import { sandboxPlan } from './plan.ts';

it('measures everything five times if nothing is said', () => {
  const only = ['utensil', 'utensil-emscripten', 'hand', 'sebastianwessel', 'just-bash', 'vm'];
  const amounts = { runs: 50, hostCalls: 100_000, parallel: 200 };
  expect(sandboxPlan({})).toEqual({ rounds: 5, only, amounts, calls: 5_000, patienceMs: 10_000 });
  expect(sandboxPlan({ quick: true })).toMatchObject({ rounds: 1, calls: 300, patienceMs: 0 });
});

it.each([
  [
    { only: 'utensil,deno' },
    '--only takes utensil, utensil-emscripten, hand, sebastianwessel, just-bash, vm; got "deno".',
  ],
  [{ rounds: '0' }, '--rounds takes whole numbers from 1; got "0".'],
])('says which option is wrong: %o', (wrong, message) => {
  expect(() => sandboxPlan(wrong)).toThrow(message);
});
