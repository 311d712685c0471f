import { expect, it, onTestFinished } from 'vitest';
import { tabHolder } from './tab-holder.ts';

it('one holder has one name, and knows that its own tab lives, that another has ended, and nothing of other names', async () => {
  const holder = tabHolder();
  const [id, again] = await Promise.all([holder.id(), holder.id()]);
  expect(again).toBe(id);
  expect(await tabHolder().id()).not.toBe(id);
  expect(await tabHolder().isAlive(id)).toBe(true);
  expect(await holder.isAlive(`${id}x`)).toBe(false);
  expect(await holder.isAlive('place-42-7')).toBeUndefined(); // a process
});

it('without locks, nobody counts as ended', async () => {
  const { id: lockedId } = tabHolder();
  const locked = await lockedId();
  const { locks } = navigator;
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  onTestFinished(() => void Object.defineProperty(navigator, 'locks', { value: locks, configurable: true }));
  const holder = tabHolder();
  expect(await holder.isAlive(locked)).toBeUndefined();
  expect(await holder.isAlive(await holder.id())).toBeUndefined();
});

it('a browser that gives no lock gives a name that nobody takes for one that has ended', async () => {
  const { locks } = navigator;
  const refusing = { request: () => Promise.reject(new DOMException('', 'SecurityError')), query: () => locks.query() };
  Object.defineProperty(navigator, 'locks', { value: refusing, configurable: true });
  onTestFinished(() => void Object.defineProperty(navigator, 'locks', { value: locks, configurable: true }));
  const id = await tabHolder().id();
  expect(await tabHolder().isAlive(id)).toBeUndefined();
});
