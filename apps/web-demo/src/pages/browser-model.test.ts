import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { say } from '../test-kit/model-server.ts';

/** A fake, for Chromium has no model: it lists files in text, and is content with the result. Runs in the page. */
function fakeModel(): void {
  const call = { name: 'filesystem', arguments: { command: 'view', path: '/' } };
  const answers = [`Well.\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>`, 'There are files.'];
  const session = {
    contextUsage: 0,
    contextWindow: Infinity,
    measureContextUsage: async () => 1,
    promptStreaming: () => new Blob([answers.shift() ?? '']).stream().pipeThrough(new TextDecoderStream()),
    addEventListener: () => undefined,
    destroy: () => undefined,
  };
  Object.assign(globalThis, { LanguageModel: { availability: async () => 'available', create: async () => session } });
}

it('has the model of the browser call tools in text, and says in which dialect', async () => {
  const { page, faults } = await openApp({ before: fakeModel });
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'This browser' }).check();
  await page.getByText('Without tools of its own, it calls them in text: hermes.').waitFor();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'List my files');
  await page.getByText('There are files.', { exact: true }).waitFor();
  expect(await page.getByText('tool_call').count()).toBe(0);
  expect(faults).toEqual([]);
});

it('says what to do where the browser has no model', async () => {
  const { page, faults } = await openApp({ before: () => Object.assign(globalThis, { LanguageModel: undefined }) });
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'This browser' }).check();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'Hello');
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  expect(await page.locator('.notice details p').textContent()).toContain('This browser brings no language model');
  expect(faults).toEqual([]);
});

it('says in which dialect a local model without tools calls them', async () => {
  const { page, faults } = await openApp();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'Ollama' }).check();
  await page.getByText('Without tools of its own, it calls them in text: hermes.').waitFor();
  await page.getByLabel('Model', { exact: true }).selectOption('Another model…');
  await page.getByLabel('Model ID').fill('gemma4:26b');
  await page.getByText('Without tools of its own, it calls them in text: gemma.').waitFor();
  expect(faults).toEqual([]);
});
