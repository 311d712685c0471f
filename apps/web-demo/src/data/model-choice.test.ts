import { createRecords } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pageKeyStore } from './key-store.ts';
import {
  addressProblem,
  choiceOf,
  firstSettings,
  keyName,
  loadModel,
  readSettings,
  settingsFrom,
  takeLastSettings,
  writeSettings,
} from './model-choice.ts';
import { openVault } from './vault.ts';

it('reads the single choice that older versions stored', () => {
  const settings = settingsFrom({ service: 'compatible', model: 'mine', address: 'http://127.0.0.1:1/v1' });
  expect(choiceOf(settings)).toEqual({ service: 'compatible', model: 'mine', address: 'http://127.0.0.1:1/v1' });
  expect(choiceOf(settingsFrom({ service: 'offline', model: '' }))).toEqual({ service: 'offline', model: '' });
});

it('reads settings from anything, and leaves out what it does not know', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(choiceOf(settingsFrom(value))).toMatchObject({ service: 'offline' });
      expect(choiceOf(settingsFrom({ service: 'ollama', services: value })).service).toBe('ollama');
      expect(choiceOf(settingsFrom({ service: 'ollama', services: { ollama: value } })).model).toBeTypeOf('string');
    }),
  );
  const services = { openai: { model: 'gpt', apiKey: 'sk-1' }, gone: { model: 'x' }, ollama: { model: 1 } };
  expect(settingsFrom({ service: 'openai', services })).toEqual({
    service: 'openai',
    services: { openai: { model: 'gpt' } },
  });
});

it('gives a new project the settings that were stored last, and no key', async () => {
  const app = createRecords(memoryStorage());
  const [old, fresh] = [createRecords(memoryStorage()), createRecords(memoryStorage())];
  const settings = { service: 'ollama', services: { ollama: { model: 'qwen3', address: 'http://nas.local:11434' } } };
  await writeSettings({ records: old, app }, settings);
  await takeLastSettings(fresh, app);
  expect(await readSettings(fresh)).toEqual(settings);
});

it('names the key of a server after its address, and explains an invalid address', async () => {
  expect(keyName({ service: 'openai', model: '' })).toBe('service.openai');
  expect(keyName({ service: 'compatible', model: '', address: 'http://a.example/v1' })).toBe(
    'service.compatible@http://a.example',
  );
  expect(keyName({ service: 'compatible', model: '', address: '' })).toBe('service.compatible@http://127.0.0.1:8080');
  for (const wrong of ['127.0.0.1:11434', 'localhost:11434', 'ftp://a.example', 'x'])
    expect(addressProblem(wrong)).toMatch(/http:\/\/ or https:\/\//);
  expect(addressProblem('http://[::1]:11434')).toBeUndefined();
  const vault = await openVault(createRecords(memoryStorage()), pageKeyStore());
  const model = loadModel({ service: 'ollama', model: 'qwen3', address: 'localhost:11434' }, vault);
  await expect(model).rejects.toThrow(/“localhost:11434” is not a complete address/);
});

it('a message sent right after a change went to the former service', async () => {
  const [records, app] = [createRecords(memoryStorage()), createRecords(memoryStorage())];
  const changed = { service: 'openai', services: {} } as const;
  await writeSettings({ records, app }, firstSettings);
  const writing = writeSettings({ records, app }, changed);
  expect(await readSettings(records)).toEqual(changed);
  const fresh = createRecords(memoryStorage());
  await takeLastSettings(fresh, app);
  expect(await readSettings(fresh)).toEqual(changed);
  await writing;
});
