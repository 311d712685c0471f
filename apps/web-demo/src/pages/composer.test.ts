import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

it('[S3-10] offers switches in the composer, each with name, description and icon, and disables them while a model answers', async () => {
  const model = await serveModel([{ text: 'It takes its time. '.repeat(3), ends: 'hangs' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  const place = page.locator('#composer-tools');
  const memory = place.getByRole('switch', { name: 'Memory', exact: true });
  const described = await memory.evaluate((control) => {
    const id = control.getAttribute('aria-describedby') ?? '';
    const root = control.getRootNode() as ShadowRoot;
    return [id, root.getElementById(id.split(' ')[0] ?? '')?.textContent.trim()];
  });
  expect(described).toEqual([expect.stringMatching(/^tool-memory-/), 'Remembers across conversations']);
  await place.getByText('Remembers across conversations').waitFor();
  expect(await place.locator('.tool-icon').count()).toBe(
    await place.getByRole('switch', { name: /^(?!All of)/ }).count(),
  );
  expect(await memory.isEnabled()).toBe(true);
  await memory.click();
  expect(await memory.isChecked()).toBe(false);
  await page.keyboard.press('Escape');

  await say(page, 'Hello');
  await page.getByText('It takes its time.', { exact: false }).last().waitFor();
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  expect(await memory.isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  expect(await memory.isEnabled()).toBe(true);
  expect(model.requests[0]?.body.tools?.map(({ function: { name } }) => name)).not.toContain('memory');
  expect(faults).toEqual([]);
});
