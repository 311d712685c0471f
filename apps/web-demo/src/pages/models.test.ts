import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, serveModel } from '../test-kit/model-server.ts';

async function openModels(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Models', exact: true }).click();
}

async function choose(page: Page, service: string): Promise<void> {
  await page.getByRole('radio', { name: service, exact: true }).check();
}

async function nameModel(page: Page, id: string): Promise<void> {
  await page.getByLabel('Model', { exact: true }).selectOption('Another model…');
  await page.getByLabel('Model ID').fill(id);
}

it('keeps the address and the model of a service while another one is chosen, and from visit to visit', async () => {
  const { page, faults } = await openApp();
  await openModels(page);
  await choose(page, 'Another server');
  await page.getByLabel('Address').fill('http://127.0.0.1:9999/v1');
  await nameModel(page, 'my-model');
  await choose(page, 'OpenAI');
  await nameModel(page, 'gpt-mine');
  await choose(page, 'Another server');
  await expect.poll(() => page.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:9999/v1');
  await expect.poll(() => page.getByLabel('Model ID').inputValue()).toBe('my-model');
  await page.reload();
  await expect.poll(() => page.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:9999/v1');
  await choose(page, 'OpenAI');
  await expect.poll(() => page.getByLabel('Model ID').inputValue()).toBe('gpt-mine');
  expect(faults).toEqual([]);
});

it('begins a new project with the service, address and model that were chosen last', async () => {
  const model = await serveModel([{ text: 'one' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await page.getByText('Manage projects').click();
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Name').fill('Kitchen');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => page.getByLabel('Project').locator('option:checked').textContent()).toBe('Kitchen');
  await openModels(page);
  await expect.poll(() => page.getByRole('radio', { name: 'Another server' }).isChecked()).toBe(true);
  await expect.poll(() => page.getByLabel('Address').inputValue()).toBe(model.url);
  expect(faults).toEqual([]);
});

it('opens the fields of a service under it, and saves its key by Enter', async () => {
  const { page, faults } = await openApp();
  await openModels(page);
  await choose(page, 'OpenAI');
  const card = page.locator('.service').filter({ has: page.getByRole('radio', { name: 'OpenAI' }) });
  await card.getByLabel('API key').fill('sk-secret');
  await page.keyboard.press('Enter');
  await card.getByText('An API key is saved in this browser').waitFor();
  await expect.poll(() => card.getByLabel('API key').inputValue()).toBe('');
  await card.getByRole('button', { name: 'Remove key' }).click();
  await card.getByText('An API key is saved').waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Test connection' }).click();
  await card.getByText('OpenAI needs an API key. Save yours').waitFor();
  expect(faults).toEqual([]);
});

it('says at the key that it is locked, unlocks it there, and says that a passphrase is wrong', async () => {
  const { page, faults } = await openApp();
  await openModels(page);
  await choose(page, 'OpenAI');
  await page.getByLabel('API key').fill('sk-secret');
  await page.keyboard.press('Enter');
  await page.getByLabel('Passphrase').fill('long enough to be one');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Lock' }).click();
  const card = page.locator('.service').filter({ has: page.getByRole('radio', { name: 'OpenAI' }) });
  await card.getByText('The API key for OpenAI is saved, but locked.').waitFor();
  await card.getByRole('button', { name: 'Test connection' }).click();
  await card.getByText('Your API keys are locked. Unlock them').waitFor();
  await card.getByLabel('Your passphrase').fill('not the one');
  await page.keyboard.press('Enter');
  await card.getByText('This passphrase is wrong').waitFor();
  await card.getByLabel('Your passphrase').fill('long enough to be one');
  await page.keyboard.press('Enter');
  await card.getByText('An API key is saved in this browser').waitFor();
  expect(faults).toEqual([]);
});
