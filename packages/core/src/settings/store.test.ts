// The settings that core keeps in records. What other tabs do is here done by another driver of the same state.

import { memoryState, memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { hmacSeals } from '../base/seals.ts';
import { createRecords } from '../records/records.ts';
import type { RecordStore } from '../records/records.ts';
import { settingsGrants } from '../run/permission/settings-grants.ts';
import { run } from '../run/lazy-run.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { deleteThread } from '../thread/summary.ts';
import { defineTool } from '../tool/define.ts';
import { createRegistry } from '../tool/registry.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { layerSettings } from './layers.ts';
import { migrate } from './migrations/migrate.ts';
import { emptySettings, isEnabled, settingsOf, withEnabled, withInstructions, withOption } from './settings.ts';
import type { Settings } from './settings.ts';
import { withoutGrant } from './stored-grants.ts';
import { openSettings, openThreadSettings } from './store.ts';
import type { SettingsOptions, SettingsStore } from './store.ts';

const named = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    options: { depth: { kind: 'number', label: 'Depth', default: 1 } },
    effects: 'read',
    execute: () => name,
    ...more,
  });
const search = named('search');
const clock = named('clock');

let state = memoryState();
beforeEach(() => {
  state = memoryState();
});
const records = (): RecordStore => createRecords(memoryStorage({ state }));
const key = ['settings', 'p'];
const stored = async (): Promise<Settings | undefined> =>
  (await records().get(key))?.value as Record<string, never> & Settings;

const off =
  (tool: Tool) =>
  (settings: Settings): Settings =>
    withEnabled(settings, tool, false);
const depth =
  (value: number) =>
  (settings: Settings): Settings =>
    withOption(settings, search, ['depth', value]);

/** A timer that only the test lets pass. */
function clockwork(): Required<Pick<SettingsOptions, 'timer'>> & { readonly waits: number[]; pass(): void } {
  const waits: number[] = [];
  let due: (() => void) | undefined;
  return {
    waits,
    timer(call, milliseconds) {
      waits.push(milliseconds);
      due = call;
      return () => void (due = due === call ? undefined : due);
    },
    pass: () => due?.(),
  };
}

/** Records whose writes fail while they are told to. */
function failing(): { readonly records: RecordStore; fail: UtensilError | undefined } {
  const inner = records();
  const failure: { readonly records: RecordStore; fail: UtensilError | undefined } = {
    fail: undefined,
    records: {
      ...inner,
      put: async (...given) => (failure.fail ? Promise.reject(failure.fail) : inner.put(...given)),
    },
  };
  return failure;
}

/** Records that tell how many watches of them there are. */
function counting(): { readonly records: RecordStore; watching(): number } {
  const inner = records();
  let watching = 0;
  const watch: RecordStore['watch'] = (...given) => {
    const end = inner.watch(...given);
    watching++;
    return () => {
      watching--;
      end();
    };
  };
  return { records: { ...inner, watch }, watching: () => watching };
}

describe('writing', () => {
  it('[S3-07] stores choices after a pause of 300 ms, all at once; corrupt ones are put aside with a warning', async () => {
    const time = clockwork();
    const put = vi.fn<RecordStore['put']>();
    const inner = records();
    put.mockImplementation(inner.put);
    const settings = await openSettings({ ...inner, put }, 'p', time);
    for (const value of [2, 3, 4]) settings.change(depth(value));
    settings.change(off(clock));
    expect(settingsOf(settings.current(), search).options).toEqual({ depth: 4 });
    expect(time.waits).toEqual([300, 300, 300, 300]);
    expect(put).not.toHaveBeenCalled();
    time.pass();
    await expect.poll(async () => (await stored())?.tools).toEqual(settings.current().tools);
    expect(put).toHaveBeenCalledTimes(1);
    time.pass();
    await settings.flush();
    expect(put).toHaveBeenCalledTimes(1);

    await settings.close(); // else it would be the first to put it aside
    await records().put(key, 'nonsense');
    const again = await openSettings(records(), 'p');
    expect(again.problem).toMatchObject({ code: 'settings_corrupt' });
    expect(again.problem?.message).toMatch(/^The settings of "p" could not be read\. They were put aside as /);
    expect(again.current().tools).toEqual({});
  });

  it('stores pending changes on `flush`, and together with an immediate update', async () => {
    const time = clockwork();
    const settings = await openSettings(records(), 'p', { ...time, delayMs: 50 });
    settings.change(depth(5));
    expect(time.waits).toEqual([50]);
    await settings.flush();
    expect((await stored())?.tools).toEqual({ search: { options: { depth: 5 } } });
    settings.change(depth(6));
    await settings.update(off(clock));
    expect((await stored())?.tools).toEqual({ search: { options: { depth: 6 } }, clock: { enabled: false } });
  });

  it('is the same object until something changes, and reports each change once', async () => {
    const settings = await openSettings(records(), 'p', clockwork());
    const told: Settings[] = [];
    const end = settings.subscribe(() => told.push(settings.current()));
    const before = settings.current();
    await settings.flush();
    expect(settings.current()).toBe(before);
    const changed = settings.change(depth(2));
    expect(settings.current()).toBe(changed);
    await settings.flush();
    await settings.flush();
    expect(settings.current()).toBe(changed);
    expect(told).toEqual([changed]);
    end();
    end();
    settings.change(depth(3));
    expect(told).toHaveLength(1);
  });

  it('loses nothing if it cannot store: it says so, and stores it with the next change that can be', async () => {
    const time = clockwork();
    const failure = failing();
    const settings = await openSettings(failure.records, 'p', time);
    failure.fail = new UtensilError('EDQUOT', 'EDQUOT: The storage is full.');
    settings.change(depth(7));
    time.pass();
    await expect.poll(() => settings.problem).toMatchObject({ code: 'settings_unsaved', retryable: true });
    expect(settings.problem?.message).toBe(
      'The settings of "p" are not stored: EDQUOT: The storage is full. They hold until the app is closed, and are tried again with the next change.',
    );
    expect(settingsOf(settings.current(), search).options).toEqual({ depth: 7 });
    await expect(settings.flush()).rejects.toMatchObject({ code: 'settings_unsaved' });
    failure.fail = undefined;
    await settings.update(off(clock));
    expect(settings.problem).toBeUndefined();
    expect((await stored())?.tools).toEqual({ search: { options: { depth: 7 } }, clock: { enabled: false } });
  });

  it('takes an update back that cannot be stored, and nothing else with it', async () => {
    const failure = failing();
    const settings = await openSettings(failure.records, 'p', clockwork());
    settings.change(depth(7));
    failure.fail = new UtensilError('ENOSPC', 'ENOSPC: The disk is full.');
    await expect(settings.update(off(clock))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(settings.current().tools).toEqual({ search: { options: { depth: 7 } } });
    failure.fail = undefined;
    await settings.flush();
    expect((await stored())?.tools).toEqual({ search: { options: { depth: 7 } } });
  });

  it('drops a change that fails on the settings stored by others, and stores the remaining ones', async () => {
    const settings = await openSettings(records(), 'p', clockwork());
    settings.change(depth(7));
    settings.change((current) => {
      if (current.tools['clock'] !== undefined) throw new Error('Not with a clock.');
      return { ...current, newTools: true };
    });
    settings.change((current) => withInstructions(current, search, 'Less.'));
    await (await openSettings(records(), 'p')).update(off(clock));
    await expect(settings.flush()).rejects.toThrow('Not with a clock.');
    await settings.flush();
    expect(await stored()).toEqual({
      version: 2,
      tools: { clock: { enabled: false }, search: { options: { depth: 7 }, instructions: 'Less.' } },
    });
  });
});

describe('other tabs', () => {
  it('receives changes of another store, keeps pending ones, and notifies no removed listener', async () => {
    const [one, two] = [await openSettings(records(), 'p', clockwork()), await openSettings(records(), 'p')];
    const told = vi.fn<() => void>();
    const end = one.subscribe(told);
    one.change(depth(2));
    await two.update(off(clock));
    await expect.poll(() => told).toHaveBeenCalledTimes(2);
    expect(one.current().tools).toEqual({ search: { options: { depth: 2 } }, clock: { enabled: false } });
    await one.flush();
    expect((await stored())?.tools).toEqual(one.current().tools);
    end();
    told.mockClear();
    await two.update(depth(9));
    await expect.poll(() => settingsOf(one.current(), search).options).toEqual({ depth: 9 });
    expect(told).not.toHaveBeenCalled();
  });

  it('keeps what was good if another finds it corrupt and puts it aside', async () => {
    const settings = await openSettings(records(), 'p');
    const told = vi.fn<() => void>();
    await settings.update(off(clock));
    settings.subscribe(told);
    await records().put(key, ['damaged']);
    await expect.poll(() => settings.problem).toMatchObject({ code: 'settings_corrupt' });
    expect(told).toHaveBeenCalled();
    expect(isEnabled(settings.current(), clock)).toBe(false);
    await settings.update(depth(3));
    expect((await stored())?.tools).toEqual({ clock: { enabled: false }, search: { options: { depth: 3 } } });
  });

  it('puts nothing aside that may only be half written: it waits for the rest', async () => {
    const setAside = vi.fn<RecordStore['setAside']>();
    const settings = await openSettings({ ...records(), setAside }, 'p');
    await settings.update(off(clock));
    await records().put(key, ['half']);
    await expect.poll(() => settings.problem).toMatchObject({ code: 'settings_corrupt' });
    await expect(settings.reload()).rejects.toMatchObject({ code: 'settings_corrupt' });
    await records().put(key, { version: 1, tools: { search: { enabled: false } } });
    await expect.poll(() => settings.current().tools).toEqual({ search: { enabled: false } });
    expect(settings.problem).toBeUndefined();
    expect(setAside).not.toHaveBeenCalled();
    await settings.close();
  });

  it('leaves alone what another has stored since it put the corrupt ones aside', async () => {
    await records().put(key, ['damaged']);
    const inner = records();
    const setAside: RecordStore['setAside'] = async (...given) => {
      await (await openSettings(records(), 'p')).update(off(clock)); // the other one is quicker
      return inner.setAside(...given);
    };
    const settings = await openSettings({ ...inner, setAside }, 'p');
    expect(settings.problem).toBeUndefined();
    expect(isEnabled(settings.current(), clock)).toBe(false);
    expect((await stored())?.tools).toEqual({ clock: { enabled: false } });
  });

  it('says that they were put aside, if another was quicker and has stored nothing since', async () => {
    await records().put(key, ['damaged']);
    const inner = records();
    const setAside: RecordStore['setAside'] = async (...given) => {
      await records().setAside(key, { unless: () => false });
      return inner.setAside(...given);
    };
    const settings = await openSettings({ ...inner, setAside }, 'p');
    expect(settings.problem?.message).toMatch(/could not be read\. They were put aside, and/);
    await settings.update(off(clock));
    expect((await stored())?.tools).toEqual({ clock: { enabled: false } });
  });

  it('whatever three tabs choose, and whenever they store it, nothing is lost and all come to see the same', async () => {
    const tools = ['a', 'b', 'c'].map((name) => named(name));
    const step = fc.tuple(fc.nat(2), fc.constantFrom('change', 'update', 'flush'), fc.integer({ min: 2, max: 9 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        state = memoryState();
        const tabs = await Promise.all(tools.map(async () => openSettings(records(), 'p', clockwork())));
        const ends = tabs.map((tab) => tab.subscribe(() => {}));
        const chosen = new Map<string, number>();
        const working: Promise<unknown>[] = [];
        for (const [index, what, value] of steps) {
          const [tab, tool] = [tabs[index], tools[index]];
          if (tab === undefined || tool === undefined) continue;
          const set = (settings: Settings): Settings => withOption(settings, tool, ['depth', value]);
          if (what === 'flush') working.push(tab.flush());
          else chosen.set(tool.name, value);
          if (what === 'change') tab.change(set);
          if (what === 'update') working.push(tab.update(set));
        }
        await Promise.all([...working, ...tabs.map(async (tab) => tab.flush())]);
        const expected = Object.fromEntries([...chosen].map(([name, value]) => [name, { options: { depth: value } }]));
        expect((await stored())?.tools ?? {}).toEqual(expected);
        for (const tab of tabs) await expect.poll(() => tab.current().tools).toEqual(expected);
        for (const end of ends) end();
      }),
      { numRuns: 40 },
    );
  });

  it('says so if a newer app has stored, and leaves that unchanged', async () => {
    const settings = await openSettings(records(), 'p');
    await settings.update(off(clock));
    settings.subscribe(() => {});
    await records().put(key, { version: 9, tools: {} });
    await expect.poll(() => settings.problem).toMatchObject({ code: 'settings_newer' });
    await expect(settings.update(depth(3))).rejects.toMatchObject({ code: 'settings_newer' });
    expect(settings.current().tools).toEqual({ clock: { enabled: false } });
    expect(await stored()).toEqual({ version: 9, tools: {} });
  });

  it('watches from opening until it is closed, and once for all who listen', async () => {
    const { records: watched, watching } = counting();
    const settings = await openSettings(watched, 'p');
    expect(watching()).toBe(1);
    const ends = Array.from({ length: 1000 }, () => settings.subscribe(() => {}));
    expect(watching()).toBe(1);
    for (const end of [...ends, ...ends]) end();
    expect(watching()).toBe(1);
    await settings.close();
    await settings.close();
    expect(watching()).toBe(0);
  });

  it('a tool that was switched off elsewhere stayed on while nobody subscribed', async () => {
    const settings = await openSettings(records(), 'p');
    expect(isEnabled(settings.current(), clock)).toBe(true);
    const elsewhere = await openSettings(records(), 'p');
    await elsewhere.update(off(clock));
    await expect.poll(() => isEnabled(settings.current(), clock)).toBe(false);
    await Promise.all([settings.close(), elsewhere.close()]);
  });

  it('a grant that was taken back elsewhere went on to hold while nobody subscribed', async () => {
    const deaf = { ...records(), watch: () => () => {} }; // a storage that does not report changes by others
    const settings = await openSettings(deaf, 'p');
    const grants = settingsGrants(settings, { seals: hmacSeals(new Uint8Array(32)), scope: 'p' });
    const grant = { name: 'clock', toolFingerprint: 'f' };
    await grants.add(grant);
    expect(await grants.has(grant)).toBe(true);
    const elsewhere = await openSettings(records(), 'p');
    await elsewhere.update((all) => withoutGrant(all, 'clock'));
    expect(await grants.has(grant)).toBe(false);
    await Promise.all([settings.close(), elsewhere.close()]);
  });

  it('a grant does not hold if what is stored cannot be looked at', async () => {
    const failure = failing();
    let isDown = false;
    const get: RecordStore['get'] = async (at) => {
      if (isDown) throw new UtensilError('EIO', 'EIO: the disk is gone.');
      return failure.records.get(at);
    };
    const settings = await openSettings({ ...failure.records, get }, 'p');
    const grants = settingsGrants(settings, { seals: hmacSeals(new Uint8Array(32)), scope: 'p' });
    const grant = { name: 'clock', toolFingerprint: 'f' };
    await grants.add(grant);
    isDown = true;
    expect(await grants.has(grant)).toEqual({ ignored: expect.stringContaining('the disk is gone') });
    isDown = false;
    expect(await grants.has(grant)).toBe(true);
    await settings.close();
  });

  it('rereads on request if the storage does not report changes, and only changed records', async () => {
    let read = 0;
    const inner = records();
    const get: RecordStore['get'] = async (at) => (read++, inner.get(at));
    const settings = await openSettings({ ...inner, get, watch: () => () => {} }, 'p');
    await (await openSettings(records(), 'p')).update(off(clock));
    expect(isEnabled(settings.current(), clock)).toBe(true);
    const after = await settings.reload();
    expect(isEnabled(after, clock)).toBe(false);
    expect(settings.current()).toBe(after);
    expect(await settings.reload()).toBe(after);
    expect(read).toBe(3);
    await settings.close();
  });

  it('keeps the last good settings while what is stored cannot be read, and says so', async () => {
    const inner = records();
    let isDown = false;
    const get: RecordStore['get'] = async (at) => {
      if (isDown) throw new UtensilError('EIO', 'EIO: the disk is gone.');
      return inner.get(at);
    };
    const settings = await openSettings({ ...inner, get }, 'p');
    await settings.update(off(clock));
    const elsewhere = await openSettings(records(), 'p');
    isDown = true;
    await elsewhere.update(depth(7));
    await expect.poll(() => settings.problem).toMatchObject({ code: 'EIO' });
    await expect(settings.reload()).rejects.toMatchObject({ code: 'EIO' });
    expect(settings.current().tools).toEqual({ clock: { enabled: false } });
    isDown = false;
    await settings.reload();
    expect(settings.problem).toBeUndefined();
    expect(settings.current()).toEqual(elsewhere.current());
  });

  it('many changes elsewhere are read as few times as there are looks', async () => {
    let tell: () => void = () => {};
    let read = 0;
    const inner = records();
    const get: RecordStore['get'] = async (at) => (read++, inner.get(at));
    const watch: RecordStore['watch'] = (_key, listener) => {
      tell = listener;
      return () => {};
    };
    const settings = await openSettings({ ...inner, get, watch }, 'p');
    for (let count = 0; count < 1000; count++) tell();
    await settings.reload();
    expect(read).toBe(3); // for opening, for all notifications, and for the reload
    await settings.close();
  });

  it('stores what waits when it is closed, and does nothing after', async () => {
    const time = clockwork();
    const { records: watched } = counting();
    const settings = await openSettings(watched, 'p', time);
    settings.change(off(clock));
    expect(await stored()).toBeUndefined();
    await settings.close();
    expect((await stored())?.tools).toEqual({ clock: { enabled: false } });
    let told = 0;
    settings.subscribe(() => told++);
    await (await openSettings(records(), 'p')).update(depth(3));
    time.pass();
    expect(told).toBe(0);
    expect(settings.current().tools).toEqual({ clock: { enabled: false } });
    expect(() => settings.change(depth(4))).toThrow('open them again');
    await expect(settings.update(depth(4))).rejects.toMatchObject({ code: 'EBADF' });
    await expect(settings.reload()).rejects.toMatchObject({ code: 'EBADF' });
  });

  it('says when closing could not store, and watches no more all the same', async () => {
    const { records: watched, watching } = counting();
    const put: RecordStore['put'] = async () => {
      throw new UtensilError('ENOSPC', 'ENOSPC: full.');
    };
    const settings = await openSettings({ ...watched, put }, 'p', clockwork());
    settings.change(off(clock));
    await expect(settings.close()).rejects.toMatchObject({ code: 'settings_unsaved' });
    expect(watching()).toBe(0);
  });

  it('leaves no watch behind where opening fails', async () => {
    await records().put(key, { version: 9, tools: {} });
    const { records: watched, watching } = counting();
    await expect(openSettings(watched, 'p')).rejects.toMatchObject({ code: 'settings_newer' });
    expect(watching()).toBe(0);
  });

  it('misses no change that is stored while it is being opened', async () => {
    const inner = records();
    const get: RecordStore['get'] = async (at) => {
      const found = await inner.get(at);
      if (found === undefined) await inner.put(key, { version: 1, tools: { clock: { enabled: false } } });
      return found;
    };
    const settings = await openSettings({ ...inner, get }, 'p');
    await expect.poll(() => isEnabled(settings.current(), clock)).toBe(false);
    await settings.close();
  });
});

describe('what older versions stored', () => {
  it('is stored again when it is opened, once', async () => {
    await records().put(key, { enabledTools: ['search'], theme: 'dark' });
    const first = await openSettings(records(), 'p');
    const after = await records().get(key);
    expect(after?.value).toEqual({ version: 2, theme: 'dark', newTools: false, tools: { search: { enabled: true } } });
    expect(first.current()).toEqual(after?.value);
    expect((await openSettings(records(), 'p')).current()).toEqual(after?.value);
    expect(await records().get(key)).toEqual(after);
  });

  it('holds if it cannot be stored again', async () => {
    await records().put(key, { enabledTools: ['search'] });
    const failure = failing();
    failure.fail = new UtensilError('EROFS', 'EROFS: read-only.');
    const settings = await openSettings(failure.records, 'p');
    expect(isEnabled(settings.current(), search)).toBe(true);
    expect(await stored()).toEqual({ enabledTools: ['search'] });
  });
});

describe('what older apps stored', () => {
  const fields = ['memoryEnabled', 'memoryUseSystemPrompt', 'jsExecutionEnabled', 'jsLibEnabled', 'fsToolEnabled'];
  const open = async () => openSettings(records(), 'p', { migrate });

  /** Stored settings after a project was opened; opening it again must not change them. */
  async function openTwice(project: JsonObject): Promise<Settings | undefined> {
    state = memoryState();
    await records().put(key, project);
    await open();
    const after = await records().get(key);
    const put = vi.fn<RecordStore['put']>();
    const again = await openSettings({ ...records(), put }, 'p', { migrate });
    expect(put).not.toHaveBeenCalled();
    expect(await records().get(key)).toEqual(after);
    expect(again.current()).toEqual(after?.value);
    return stored();
  }

  it('[S0-12] [A0-03] five switches, in every combination, are migrated once and gone from storage', async () => {
    for (let bits = 0; bits < 2 ** fields.length; bits++) {
      const switches = Object.fromEntries(fields.map((field, index) => [field, (bits & (1 << index)) !== 0]));
      const after = await openTwice({ name: 'Thesis', ...switches });
      const [memory, prompt, script, library, files] = fields.map((field) => switches[field] === true);
      expect(after).toEqual({
        version: 2,
        name: 'Thesis',
        newTools: false,
        tools: {
          memory: { enabled: memory, ...(prompt && { options: { useSystemPrompt: true } }) },
          javascript: { enabled: script, ...(!library && { options: { loadLib: false } }) },
          filesystem: { enabled: files },
        },
      });
      expect(Object.keys(after ?? {}).filter((field) => fields.includes(field))).toEqual([]);
    }
    const listed = { enabledTools: ['filesystem'], toolOptions: { filesystem: { lines: true } } };
    expect((await openTwice({ ...listed, memoryEnabled: true }))?.tools).toEqual({
      filesystem: { enabled: true, options: { lines: true } },
    });
    const none = await openTwice({ enabledTools: [], memoryEnabled: true, jsExecutionEnabled: true });
    expect(none?.tools).toEqual({});
    expect(isEnabled(none ?? emptySettings, named('memory'))).toBe(false);
  });

  it('[S1-24] a switch for the internet becomes one for each tool, and each is stored by itself from then on', async () => {
    await records().put(key, { theme: 'dark', enableInternet: true });
    const [web, link, write] = [named('web_search'), named('open_link'), named('write_file')];
    const settings = await open();
    const states = ({ current }: Pick<typeof settings, 'current'>): boolean[] =>
      [web, link, write].map((tool) => isEnabled(current(), tool));
    expect(states(settings)).toEqual([true, true, false]);
    await settings.update((current) => withEnabled(current, link, false));
    await settings.update((current) => withEnabled(current, write, true));
    expect(states(await open())).toEqual([true, false, true]);
    expect(await stored()).toMatchObject({ theme: 'dark' });
    expect(await stored()).not.toHaveProperty('enableInternet');
    // One toggle for each tool is the later word.
    await records().put(key, { enableInternet: true, toolEnabled_web_search: true, toolEnabled_open_link: false });
    expect(states(await open())).toEqual([true, false, false]);
  });
});

describe('a thread', () => {
  const open = async () => {
    const registry = createRegistry([search, clock]);
    const [project, thread] = [await openSettings(records(), 'p'), await openThreadSettings(records(), 't')];
    return { registry, project, thread, both: layerSettings(project, thread, registry) };
  };

  it('has settings of its own over those of the project, and reports changes in either', async () => {
    const { registry, project, thread, both } = await open();
    const told = vi.fn<() => void>();
    const end = both.subscribe(told);
    await project.update(depth(3));
    await both.update(off(search));
    expect(both.current()).toBe(both.current());
    expect(both.current().tools).toEqual({ search: { enabled: false, options: { depth: 3 } } });
    expect(project.current().tools).toEqual({ search: { options: { depth: 3 } } });
    expect(thread.current().tools).toEqual({ search: { enabled: false } });
    expect(told).toHaveBeenCalledTimes(2);
    registry.register(named('finder', { formerNames: ['search_old'] }));
    both.change(depth(8));
    await both.flush();
    expect(told).toHaveBeenCalledTimes(4);
    end();
    await project.update(off(clock));
    expect(told).toHaveBeenCalledTimes(4);
    const again = await open();
    expect(again.both.current()).toEqual(both.current());
  });

  it('tells no listener that another one has just taken away', async () => {
    const { project, both } = await open();
    const told = vi.fn<() => void>();
    both.subscribe(() => leave());
    const leave = both.subscribe(told);
    await project.update(depth(3));
    expect(told).not.toHaveBeenCalled();
  });

  it('grants what the project grants, and its own grants stay its own', async () => {
    const { project, thread, both } = await open();
    const seals = hmacSeals(new Uint8Array(32));
    const grantsOf = (store: SettingsStore) => settingsGrants(store, { seals, scope: 'p' });
    const grant = { name: 'search', toolFingerprint: 'print' };
    expect(await grantsOf(both).has(grant)).toBe(false);
    await grantsOf(project).add(grant);
    expect(await grantsOf(both).has(grant)).toBe(true);
    await grantsOf(both).add({ name: 'clock', toolFingerprint: 'other' });
    expect(thread.current().tools).toMatchObject({ clock: { grants: [{ toolFingerprint: 'other' }] } });
    expect(await grantsOf(project).has({ name: 'clock', toolFingerprint: 'other' })).toBe(false);
  });

  it('takes its settings with it when it is deleted, and no others', async () => {
    const { project, both } = await open();
    await both.update(off(search));
    await project.update(off(clock));
    await deleteThread(records(), 't');
    expect((await openThreadSettings(records(), 't')).current().tools).toEqual({});
    expect((await stored())?.tools).toEqual({ clock: { enabled: false } });
  });
});

it('[S2-06] changed configuration takes effect with the next run, not the one that runs', async () => {
  const registry = createRegistry([search]);
  const settings = await openSettings(records(), 'p');
  const elsewhere = await openSettings(records(), 'p');
  const end = settings.subscribe(() => {});
  const told = (model: ReturnType<typeof scriptedModel>): string[] =>
    model.requests.map(({ tools }) => tools.map(({ name }) => name).join(' '));
  const begin = (model: ReturnType<typeof scriptedModel>) =>
    run({ model, toolset: resolveToolset(registry, settings.current(), {}), messages: 'Go.' });

  const reconfigure = named('search', {
    execute: async () => {
      registry.register(clock);
      await elsewhere.update(off(search));
      await expect.poll(() => isEnabled(settings.current(), search)).toBe(false);
      return 'done';
    },
  });
  registry.register(reconfigure, { override: true });
  const first = scriptedModel([{ calls: [{ name: 'search' }] }, { text: 'Done.' }]);
  expect((await begin(first).result).status).toBe('complete');
  const second = scriptedModel([{ text: 'Done.' }]);
  expect((await begin(second).result).status).toBe('complete');
  expect(told(first)).toEqual(['search', 'search']);
  expect(told(second)).toEqual(['clock']);
  end();
});
