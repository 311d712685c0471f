import { createRecords, defineTool, jsonSchema, openSettings, UtensilError } from '@utensil/core';
import { isEnabled, withEnabled } from '@utensil/core/settings';
import { memoryStorage } from '@utensil/storage-memory';
import { createElement, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { describe, expect, it } from 'vitest';
import { counted, patient, renderHook } from './test-kit/render.ts';
import { useSettings } from './use-settings.ts';

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  input: jsonSchema({ type: 'object' }),
  effects: 'read',
  execute: () => '',
});

describe('useSettings', () => {
  it('shows own changes at once, and changes of another store over the same records', async () => {
    const records = createRecords(memoryStorage());
    const [here, there] = [await openSettings(records, 'p'), await openSettings(records, 'p')];
    const hook = renderHook(({ store }) => useSettings(store), { store: here });
    flushSync(() => here.change((settings) => withEnabled(settings, look, false)));
    expect(isEnabled(hook.value().settings, look)).toBe(false);
    await here.flush();
    await there.update((settings) => withEnabled(settings, look, true));
    await expect.poll(() => isEnabled(hook.value().settings, look), patient).toBe(true);
  });

  it('gives the same object while nothing changes, and renders for nothing else', async () => {
    const store = await openSettings(createRecords(memoryStorage()), 'p');
    const hook = renderHook(({ store }) => useSettings(store), { store });
    flushSync(() => store.change((settings) => settings));
    await store.flush();
    hook.again({ store });
    expect(hook.seen).toHaveLength(2);
    expect(hook.seen[1]).toBe(hook.seen[0]);
  });

  it('tells why settings are not stored, until they are', async () => {
    const records = createRecords(memoryStorage());
    let isFull = true;
    const put: typeof records.put = async (...given) => {
      if (isFull) throw new UtensilError('ENOSPC', 'There is no room.');
      return records.put(...given);
    };
    const store = await openSettings({ ...records, put }, 'p');
    const hook = renderHook(({ store }) => useSettings(store), { store });
    store.change((settings) => withEnabled(settings, look, false));
    await store.flush().catch(() => {});
    await expect.poll(() => hook.value().problem?.code, patient).toBe('settings_unsaved');
    isFull = false;
    await store.flush();
    await expect.poll(() => hook.value(), patient).toEqual({ settings: store.current() });
  });

  it('listens once in strict mode, and no more when it is gone', async () => {
    const store = counted(await openSettings(createRecords(memoryStorage()), 'p'));
    const hook = renderHook(
      ({ store }) => useSettings(store),
      { store },
      (node) => createElement(StrictMode, null, node),
    );
    expect(store.count()).toBe(1);
    hook.unmount();
    expect(store.count()).toBe(0);
  });
});
