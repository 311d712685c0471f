import { createElement } from 'react';
import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { McpServers } from '../data/mcp-servers/mcp-servers.ts';
import type { Vault } from '../data/vault.ts';
import { KeyField } from './key-field.tsx';
import { AddServer } from './mcp-servers/add-server.tsx';
import { Protection } from './protection.tsx';

/** Work that a test ends. */
function pending() {
  const ends: (() => void)[] = [];
  const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  return { work, ends };
}

let unmount = (): void => undefined;

function show(element: ReactElement): void {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(element);
  unmount = () => {
    root.unmount();
    place.remove();
  };
}

afterEach(() => unmount());

const vaultOf = (work: () => Promise<void>): Vault => ({
  protection: 'device',
  problem: undefined,
  isLocked: false,
  names: () => [],
  get: async () => undefined,
  set: work,
  remove: work,
  unlock: work,
  lock: () => undefined,
  protect: work,
  subscribe: () => () => undefined,
});

const value = (label: string): string =>
  (page.getByLabelText(label, { exact: true }).element() as HTMLInputElement).value;

it('keeps what is typed while a server is added, and adds it once', async () => {
  const { work, ends } = pending();
  show(createElement(AddServer, { servers: { add: work } as unknown as McpServers }));
  await page.getByLabelText('Address').fill('https://one.example/mcp');
  await page.getByLabelText('Name', { exact: true }).fill('one');
  const button = page.getByRole('button', { name: 'Add a server' });
  await button.click();
  await expect.element(button).toBeDisabled();
  await page.getByLabelText('Address').fill('https://two.example/mcp');
  ends[0]?.();
  await expect.poll(() => value('Name')).toBe('');
  expect(value('Address')).toBe('https://two.example/mcp');
  await expect.element(button).toBeEnabled();
  await button.click();
  ends[1]?.();
  await expect.poll(() => value('Address')).toBe('');
});

it('keeps a key that is typed while another one is saved or removed', async () => {
  const { work, ends } = pending();
  const common = { vault: vaultOf(work), name: 'key', service: 'OpenAI', isSet: true, isOptional: false };
  show(createElement(KeyField, common));
  for (const name of ['Save key', 'Remove key']) {
    await page.getByLabelText('API key').fill('sk-one');
    await page.getByRole('button', { name }).click();
    await page.getByLabelText('API key').fill('sk-two');
    ends.pop()?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(value('API key')).toBe('sk-two');
  }
  await page.getByRole('button', { name: 'Save key' }).click();
  ends.pop()?.();
  await expect.poll(() => value('API key')).toBe('');
});

it('keeps a passphrase that is typed while another one is set', async () => {
  const { work, ends } = pending();
  show(createElement(Protection, { vault: vaultOf(work), isUnlockedAbove: true }));
  const field = page.getByLabelText('Passphrase', { exact: true });
  await field.fill('correct horse battery');
  await page.getByRole('button', { name: 'Protect with a passphrase' }).click();
  await field.fill('another one of some length');
  ends.pop()?.();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(value('Passphrase')).toBe('another one of some length');
});
