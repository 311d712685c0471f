import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import type { Watched } from '../test-kit/browser.ts';
import { lookAt } from '../test-kit/look.ts';
import { chooseServer, held, say, serveModel } from '../test-kit/model-server.ts';
import type { ModelServer, Turn } from '../test-kit/model-server.ts';

const elsewhere = (page: Page): ReturnType<Page['getByText']> =>
  page.getByText(/^Another tab has been answering since \d+:\d\d/);
const goOn = (page: Page): ReturnType<Page['getByRole']> => page.getByRole('button', { name: 'Continue' });

interface TwoTabs {
  readonly model: ModelServer;
  readonly one: Watched;
  readonly other: Watched;
}

/** Another tab with the conversation of a tab. */
function beside({ page, context }: Watched, before?: () => void): Promise<Watched> {
  return openApp({ context, path: new URL(page.url()).hash, ...(before && { before }) });
}

/** A tab in which a model is in the middle of its answer, and another one with the same conversation. */
async function answeringTab(turns: readonly Turn[]): Promise<TwoTabs> {
  const model = await serveModel(turns);
  const one = await openApp();
  await chooseServer(one.page, model);
  await say(one.page, 'Talk');
  await one.page.getByText('word word').first().waitFor();
  const other = await beside(one);
  await elsewhere(other.page).waitFor();
  return { model, one, other };
}

/** A tab in which a model has answered, and another one with the same conversation. */
async function answeredTab(turns: readonly Turn[], before?: () => void): Promise<TwoTabs> {
  const model = await serveModel(turns);
  const one = await openApp({ ...(before && { before }) });
  await chooseServer(one.page, model);
  await say(one.page, 'Hello');
  await one.page.getByText('First.', { exact: true }).waitFor();
  const other = await beside(one, before);
  await other.page.getByText('First.', { exact: true }).waitFor();
  return { model, one, other };
}

it('says that another tab is answering, follows it, and does not offer to continue what is not interrupted', async () => {
  const { pause, goesOn } = held();
  const { model, one, other } = await answeringTab([{ text: 'word '.repeat(40), pause }]);
  await other.page.getByText('Talk', { exact: true }).last().waitFor();
  expect(await goOn(other.page).count()).toBe(0);
  expect(await other.page.getByText('cut short', { exact: false }).count()).toBe(0);
  await other.page.getByLabel('Message', { exact: true }).fill('Me too');
  expect(await other.page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await other.page.keyboard.press('Enter');
  expect(model.requests).toHaveLength(1);

  goesOn();
  await elsewhere(other.page).waitFor({ state: 'detached' });
  await other.page.getByText('word '.repeat(40).trim(), { exact: false }).first().waitFor();
  expect(await goOn(other.page).count()).toBe(0);
  await expect.poll(() => other.page.getByLabel('Message', { exact: true }).inputValue()).toBe('Me too');
  expect(await other.page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

it('offers to continue, without a reload, when the tab that was answering is closed', async () => {
  const { model, one, other } = await answeringTab([
    { text: 'word '.repeat(10), ends: 'hangs' },
    { text: 'The rest.' },
  ]);
  expect(await goOn(other.page).count()).toBe(0);
  await one.page.close();
  await goOn(other.page).first().waitFor();
  expect(await elsewhere(other.page).count()).toBe(0);
  await goOn(other.page).first().click();
  await other.page.getByText('The rest.', { exact: true }).waitFor();
  expect(model.requests).toHaveLength(2);
  expect(other.faults).toEqual([]);
});

it('begins no second run in a tab that was open before the first one began', async () => {
  const { pause, goesOn } = held();
  const { model, one, other } = await answeredTab([{ text: 'First.' }, { text: 'word '.repeat(40), pause }]);
  await say(one.page, 'Talk');
  await elsewhere(other.page).waitFor();
  expect(await goOn(other.page).count()).toBe(0);
  expect(await other.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  goesOn();
  await elsewhere(other.page).waitFor({ state: 'detached' });
  expect(model.requests).toHaveLength(2);
});

it('says in a second tab, and after a reload, that an answer was stopped, where it said “interrupted”', async () => {
  const { one, other } = await answeringTab([{ text: 'word '.repeat(400), delay: 50 }, { text: 'The rest.' }]);
  await one.page.getByRole('button', { name: 'Stop' }).click();
  const stopped = (page: Page): ReturnType<Page['locator']> =>
    page.locator('utensil-thread .notice').filter({ hasText: 'You stopped this answer.' });
  await stopped(other.page).waitFor();
  await one.page.reload();
  await stopped(one.page).waitFor();
  expect(await one.page.getByText('interrupted', { exact: false }).count()).toBe(0);

  await goOn(other.page).click();
  await other.page.getByText('The rest.', { exact: true }).waitFor();
  expect(await stopped(other.page).count()).toBe(0);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

it('lets another tab answer when the browser is about to freeze the one that answers, where it kept its lock', async () => {
  const { model, one, other } = await answeringTab([
    { text: 'word '.repeat(10), ends: 'hangs' },
    { text: 'The rest.' },
  ]);
  await one.page.evaluate(() => document.dispatchEvent(new Event('freeze'))); // Chromium freezes no page that is driven
  await one.page.getByText('This answer was interrupted.', { exact: false }).waitFor(); // and nobody has stopped it
  await goOn(other.page).click();
  await other.page.getByText('The rest.', { exact: true }).waitFor();
  await one.page.getByText('The rest.', { exact: true }).waitFor();
  expect(await goOn(one.page).count()).toBe(0);
  expect(model.requests).toHaveLength(2);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

it('begins no second answer in two tabs of a browser without locks', async () => {
  const withoutLocks = (): void => void Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
  const { pause, goesOn } = held();
  const { model, one, other } = await answeredTab(
    [{ text: 'First.' }, { text: 'word '.repeat(40), pause }],
    withoutLocks,
  );
  await say(one.page, 'Talk');
  await elsewhere(other.page).waitFor();
  expect(await other.page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  goesOn();
  await elsewhere(other.page).waitFor({ state: 'detached' });
  expect(model.requests).toHaveLength(2);
  expect([...one.faults, ...other.faults]).toEqual([]);
});

it('shows live text of the other tab, calls that run there and since when, and offers no button that could not work', async () => {
  const { one, other } = await answeringTab([
    { text: 'word '.repeat(20), calls: [{ name: 'javascript', input: { code: endless } }] },
  ]);
  await one.page.getByRole('button', { name: 'Allow once' }).click();
  await one.page.getByRole('button', { name: 'Cancel: ' }).waitFor();
  await other.page.getByText('Running', { exact: false }).waitFor();
  expect(await other.page.getByRole('button', { name: 'Cancel: ' }).count()).toBe(0);
  expect(await lookAt(other.page, 'answering-elsewhere')).toEqual([]);
  await one.page.getByRole('button', { name: 'Cancel: ' }).click();
  await other.page.getByText('There is nothing more to say.', { exact: true }).waitFor();
  await other.page.getByText('Cancelled', { exact: false }).waitFor();
  await elsewhere(other.page).waitFor({ state: 'detached' });
  expect([...one.faults, ...other.faults]).toEqual([]);
});

const endless = "await new Promise((then) => setTimeout(then, 60_000)); return 'end';";
const write = { name: 'filesystem', input: { command: 'create', path: '/notes/plan.md', file_text: 'A plan.' } };

it('accepts an answer in a second tab to a question of the first', async () => {
  const { one, other } = await answeringTab([{ text: 'word word', calls: [write] }, { text: 'It is written.' }]);
  await other.page.getByRole('button', { name: 'Allow once' }).waitFor();
  expect(await lookAt(other.page, 'asked-elsewhere')).toEqual([]);
  await other.page.setViewportSize({ width: 1280, height: 800 });
  await other.page.getByRole('button', { name: 'Allow once' }).click();
  for (const { page, faults } of [one, other]) {
    await page.getByText('It is written.', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    expect(faults).toEqual([]);
  }
  await elsewhere(other.page).waitFor({ state: 'detached' });
});
