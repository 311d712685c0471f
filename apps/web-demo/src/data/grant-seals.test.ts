import { expect, it } from 'vitest';
import { grantSeals } from './grant-seals.ts';
import { pageKeyStore } from './key-store.ts';

it('seals with one key for all tabs, which cannot be taken out, and makes none before it is needed', async () => {
  const keys = pageKeyStore();
  const [one, other] = [grantSeals(keys), grantSeals(keys)];
  expect(await keys.get()).toBeUndefined();
  const seal = await one.make({ a: 1 });
  expect([await other.fits({ a: 1 }, seal), await other.fits({ a: 2 }, seal)]).toEqual([true, false]);
  expect(await grantSeals(pageKeyStore()).fits({ a: 1 }, seal)).toBe(false);
  const key = await keys.get();
  expect(key).toMatchObject({ extractable: false, usages: ['sign'] });
});

it('tries again after the key was unavailable', async () => {
  const keys = pageKeyStore();
  let isBroken = true;
  const seals = grantSeals({ ...keys, get: () => (isBroken ? Promise.reject(new Error('no')) : keys.get()) });
  await expect(seals.make({ a: 1 })).rejects.toThrow('no');
  isBroken = false;
  expect(await seals.make({ a: 1 })).toMatch(/^[0-9a-f]{64}$/);
});
