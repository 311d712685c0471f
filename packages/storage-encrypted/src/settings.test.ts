import { createRecords, defineTool, jsonSchema, openSettings } from '@utensil/core';
import { withEnabled, withOption } from '@utensil/core/settings';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { encryptedStorage } from './encrypted.ts';

const tools = ['search', 'clock', 'notes'].map((name) =>
  defineTool({
    name,
    description: `The tool ${name}.`,
    input: jsonSchema({ type: 'object' }),
    options: { region: { kind: 'text', label: 'Region', default: '' } },
    effects: 'read',
    execute: () => '',
  }),
);
const [search, clock, notes] = tools as [(typeof tools)[0], (typeof tools)[0], (typeof tools)[0]];

async function bytesOf(driver: StorageDriver): Promise<string> {
  const stored: string[] = [];
  for (const tree of ['files', 'records'] as const) {
    for (const { path, kind } of await driver.list({ tree, path: '/', depth: 32, limit: 1000 })) {
      const found = kind === 'file' ? await driver.read({ tree, path }) : undefined;
      stored.push(path, new TextDecoder('latin1').decode(found?.content));
    }
  }
  return stored.join('\n');
}

describe('settings in an encrypted storage', () => {
  it('[S0-11] are kept per project, in the order in which tools were chosen, and unreadable at rest', async () => {
    const inner = memoryStorage();
    const key = crypto.getRandomValues(new Uint8Array(32));
    const open = async (project: string) => openSettings(createRecords(encryptedStorage(inner, key)), project);
    const first = await open('first-project');
    await first.update((settings) => withEnabled(withEnabled(settings, notes, true), search, true));
    await first.update((settings) => withEnabled(settings, notes, true));
    await first.update((settings) => withEnabled(withOption(settings, clock, ['region', 'Reykjavík']), clock, false));
    const second = await open('second-project');
    await second.update((settings) => withEnabled(settings, search, false));

    expect((await open('first-project')).current().tools).toEqual({
      notes: { enabled: true },
      search: { enabled: true },
      clock: { enabled: false, options: { region: 'Reykjavík' } },
    });
    expect(Object.keys((await open('first-project')).current().tools)).toEqual(['notes', 'search', 'clock']);
    expect((await open('second-project')).current().tools).toEqual({ search: { enabled: false } });
    const atRest = await bytesOf(inner);
    for (const word of ['notes', 'search', 'Reykjav', 'first-project', 'enabled']) expect(atRest).not.toContain(word);
  });
});
