import { beforeEach, describe, expect, it } from 'vitest';
import { storedLock, tabLock } from './tab-lock.ts';

const name = 'utensil-test/lock';
/** For a lock that is not available. */
const soon = (): AbortSignal => AbortSignal.timeout(300);
const late = (): AbortSignal => AbortSignal.timeout(100_000);

beforeEach(() => localStorage.clear());

describe.each([
  ['of the browser', () => tabLock(name)],
  ['in the storage', () => storedLock(name)],
])('a lock %s', (_, open) => {
  it('lets one tab work at a time, and tells the others', async () => {
    const [one, other] = [open(), open()];
    let end = (): void => {};
    const working = one.hold(() => new Promise((resolve) => (end = resolve)), late());
    await expect.poll(() => other.isHeld()).toBe(true);
    await expect(other.hold(() => Promise.reject(new Error('two at once')), soon())).rejects.toThrow(
      /signal|timed out/i,
    );
    const released = other.released();
    end();
    await Promise.all([working, released]);
    expect(await other.isHeld()).toBe(false);
    await expect(other.hold(() => Promise.reject(new Error('its own fault')), late())).rejects.toThrow('its own fault');
    expect(await one.isHeld()).toBe(false);
  });

  it('goes to one of two tabs that ask at the same time', async () => {
    let atOnce = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce--;
    };
    await Promise.all([open(), open(), open()].map((lock) => lock.hold(work, late())));
    expect(most).toBe(1);
  });
});

it('does not wait for a tab that has crashed', async () => {
  localStorage.setItem(name, `crashed ${Date.now() - 1}`);
  expect(await storedLock(name).isHeld()).toBe(false);
  localStorage.setItem(name, 'damaged');
  await storedLock(name).released();
});
