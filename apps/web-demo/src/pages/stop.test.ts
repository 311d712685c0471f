import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { lookAt } from '../test-kit/look.ts';
import { beginAnother, chooseServer, say, serveModel } from '../test-kit/model-server.ts';
import type { Turn } from '../test-kit/model-server.ts';

const patient = { timeout: 100_000 };

const long = 'word '.repeat(400);

it('stops in the middle of an answer with one press of the button or of Esc, and keeps the partial answer', async () => {
  const model = await serveModel((_, index) =>
    index % 2 === 0 ? { text: long, delay: 50 } : { text: 'Something else.' },
  );
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  for (const [index, by] of ['the button', 'Esc'].entries()) {
    if (index > 0) await beginAnother(page);
    await say(page, 'Talk');
    await page.getByText('word word').first().waitFor();
    if (by === 'Esc') await page.getByLabel('Message').press('Escape');
    else await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await expect.poll(() => model.cancelled(), patient).toBe(index + 1);
    await page.getByText('word word').first().waitFor();
    expect(await page.getByText(long.trim()).count()).toBe(0); // it did not go on to its end

    await say(page, 'Never mind');
    await page.getByText('Something else.', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0); // the answer that followed is whole
    const roles = model.requests[2 * index + 1]?.body.messages.map(({ role }) => role);
    expect([by, roles]).toEqual([by, ['system', 'user', 'assistant', 'user']]);
  }
  expect(faults).toEqual([]);
});

it('stops a model that hangs before it says anything or in the middle of its answer, and cancels its request', async () => {
  const hanging: readonly Turn[] = ['silence', { text: 'The first half', ends: 'hangs' }];
  const model = await serveModel(hanging.flatMap((turn) => [turn, { text: 'Here I am.' }]));
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  for (const [index, turn] of hanging.entries()) {
    if (index > 0) await beginAnother(page);
    await say(page, 'Hello?');
    await expect.poll(() => model.requests.length, patient).toBe(2 * index + 1);
    if (turn !== 'silence') await page.getByText('The first half').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await expect.poll(() => model.cancelled(), patient).toBe(index + 1);
    await say(page, 'Hello again');
    await page.getByText('Here I am.', { exact: true }).waitFor();
  }
  expect(faults).toEqual([]);
});

const endless = "await new Promise((then) => setTimeout(then, 60_000)); return 'end';";

it('stops a call that has begun, tells the model that it was interrupted, and asks about nothing that waits', async () => {
  const model = await serveModel([{ calls: [{ name: 'javascript', input: { code: endless } }] }, { text: 'I see.' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Run it');
  const begun = page.waitForEvent('worker');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await begun;
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await say(page, 'Go on without it');
  await page.getByText('I see.', { exact: true }).waitFor();
  const told = model.requests[1]?.body.messages.find(({ role }) => role === 'tool');
  expect(JSON.stringify(told)).toMatch(/interrupted|cancelled/);
  expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

it('cancels one call that hangs while the answer goes on, where the whole answer had to be stopped', async () => {
  const model = await serveModel([{ calls: [{ name: 'javascript', input: { code: endless } }] }, { text: 'I see.' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Run it');
  await page.getByRole('button', { name: 'Allow once' }).click();
  const cancel = page.getByRole('button', { name: 'Cancel: ' });
  await cancel.waitFor();
  expect(await lookAt(page, 'cancel')).toEqual([]);
  await cancel.click();
  await page.getByText('I see.', { exact: true }).waitFor();
  await page.getByText('Cancelled').waitFor();
  const told = model.requests[1]?.body.messages.find(({ role }) => role === 'tool');
  expect(JSON.stringify(told)).toContain('The user cancelled this call');
  expect(await cancel.count()).toBe(0);
  expect(faults).toEqual([]);
});

it('loses nothing when Stop and Continue follow one another at once', async () => {
  const model = await serveModel((_, index) => (index < 4 ? { text: long, delay: 50 } : { text: 'That is all.' }));
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Talk');
  for (let round = 1; round <= 4; round++) {
    await expect.poll(() => model.requests.length, patient).toBe(round);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await page.getByText('That is all.', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
  await expect.poll(() => model.cancelled(), patient).toBe(4);
  expect(model.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user').length).toBeGreaterThan(0);
  expect(faults).toEqual([]);
});
