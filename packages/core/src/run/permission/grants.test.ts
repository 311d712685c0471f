import { expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { hmacSeals } from '../../base/seals.ts';
import { emptySettings } from '../../settings/settings.ts';
import type { Settings, ToolSettings } from '../../settings/settings.ts';
import { grantsOf } from '../../settings/stored-grants.ts';
import { eventsOf, play, testSeals, tool, toolsetOf } from '../../test-kit/runs.ts';
import { settingsGrants } from './settings-grants.ts';
import type { SettingsGrantsOptions } from './settings-grants.ts';
import { permissions } from './policy.ts';

const erase = tool('erase', { effects: 'destructive' });
const { toolFingerprint = '' } = await toolsetOf([erase]).prepare({ name: 'erase', input: {} });
const grant = { name: 'erase', toolFingerprint };

/** Settings as they are stored, and the grants that are kept in them. */
function stored(settings: Settings = emptySettings, more: Partial<SettingsGrantsOptions> = {}) {
  let now = settings;
  const store = {
    current: () => now,
    update: async (change: (before: Settings) => Settings) => (now = change(now)),
  };
  return { ...store, grants: settingsGrants(store, { seals: testSeals, scope: 'p', ...more }) };
}

/** Settings with a grant that the user has given. */
async function granted(more: Partial<SettingsGrantsOptions> = {}): Promise<Settings> {
  const { grants, current } = stored(emptySettings, more);
  await grants.add(grant);
  return current();
}

/** Settings in which another program has written grants, which may be anything. */
function withStored(name: string, grants: unknown): Settings {
  return { ...emptySettings, tools: { [name]: { grants: grants as ToolSettings['grants'] & {} } } };
}

/** A run whose model erases: true if the user was asked, and the reports about the stored permission. */
async function run({ grants }: ReturnType<typeof stored>) {
  const played = play([{ calls: [{ name: 'erase' }] }, {}], [erase], { policy: permissions('write'), grants });
  const seen = { asked: false, told: [] as string[] };
  for await (const event of played.events()) {
    if (event.type === 'permission-ignored') seen.told.push(event.reason);
    if (event.type !== 'approval-request') continue;
    seen.asked = true;
    played.answer(event.questionId, 'deny');
  }
  return seen;
}

it('a program that wrote a grant into the settings had the next run erase without a question', async () => {
  const asIs = (ofTool: unknown): Settings => withStored('erase', [ofTool]);
  expect(await run(stored(asIs(toolFingerprint)))).toEqual({ asked: true, told: [expect.stringContaining('no seal')] });
  const expires = Date.now() + 1_000_000;
  for (const seal of ['', '0'.repeat(64), await hmacSeals(new Uint8Array(32)).make({ ...grant, expires })]) {
    const forged = { toolFingerprint, expires, seal };
    expect(await run(stored(asIs(forged)))).toEqual({ asked: true, told: [expect.stringContaining('does not fit')] });
  }
  const odd: readonly Json[] = [true, 1, [], {}, { toolFingerprint }, { toolFingerprint, expires, seal: 1 }, null];
  for (const forged of odd) expect(await run(stored(asIs(forged)))).toEqual({ asked: true, told: [] });
});

it('what the user grants holds until its key is another one, and is given again then', async () => {
  const settings = await granted();
  expect(await run(stored(settings))).toEqual({ asked: false, told: [] });
  const rotated = stored(settings, { seals: hmacSeals(new Uint8Array(32).fill(2)) });
  expect(await run(rotated)).toEqual({ asked: true, told: [expect.stringContaining('the key of the app is new')] });
  expect(rotated.current()).toBe(settings); // what does not count is still there
  await rotated.grants.add(grant);
  expect(await run(rotated)).toEqual({ asked: false, told: [] });
});

it('a grant does not count in another project, for another tool, nor when it was made to last longer', async () => {
  const settings = await granted();
  const told = [expect.stringContaining('does not fit')];
  expect(await run(stored(settings, { scope: 'other' }))).toEqual({ asked: true, told });
  const [kept] = grantsOf(settings, 'erase');
  expect(await run(stored(withStored('erase', [{ ...kept, expires: 2 ** 52 }])))).toEqual({ asked: true, told });
  const moved = stored(withStored('other', [kept]));
  expect(await moved.grants.has({ name: 'other', toolFingerprint })).toMatchObject({ ignored: told[0] });
});

it('a grant ends after its time', async () => {
  const settings = await granted({ lifetimeMs: 10, now: () => 100 });
  expect(await run(stored(settings, { now: () => 109 }))).toEqual({ asked: false, told: [] });
  expect(await run(stored(settings, { now: () => 110 }))).toEqual({ asked: true, told: ['its time is over'] });
});

it('asks where the key cannot be read, and says so', async () => {
  const failing = { ...testSeals, fits: () => Promise.reject(new Error('no such key')) };
  const told = ['it cannot be checked: no such key'];
  expect(await run(stored(await granted(), { seals: failing }))).toEqual({ asked: true, told });
});

it('makes no seal and looks at none if nothing is granted', async () => {
  let seals = 0;
  const counting = {
    make: (...given: Parameters<typeof testSeals.make>) => (seals++, testSeals.make(...given)),
    fits: (...given: Parameters<typeof testSeals.fits>) => (seals++, testSeals.fits(...given)),
  };
  const { grants } = stored(emptySettings, { seals: counting });
  const played = play([{ calls: [{ name: 'read' }] }, {}], [tool('read')], {
    policy: permissions('write'),
    seals: counting,
    grants,
  });
  await eventsOf(played);
  expect(seals).toBe(0);
});

it('an answer for always ended the whole run where the key was locked: the call runs, and the next run asks again', async () => {
  const seals = hmacSeals(async () => Promise.reject(new Error('The keychain is locked.')));
  const { grants, current } = stored(emptySettings, { seals });
  const calls = [{ calls: [{ name: 'erase' }] }, { calls: [{ name: 'erase', input: { again: true } }] }, {}];
  const played = play(calls, [erase], { policy: permissions('write'), grants });
  const seen: string[] = [];
  for await (const event of played.events()) {
    if (event.type === 'permission-ignored') seen.push(event.reason);
    if (event.type === 'tool-end') seen.push(event.result.isError ? 'failed' : 'erased');
    if (event.type === 'approval-request') played.answer(event.questionId, 'always');
  }
  expect(seen).toEqual(['it cannot be kept: The keychain is locked.', 'erased', 'erased']);
  expect((await played.result).status).toBe('complete');
  expect(current()).toEqual(emptySettings);
});
