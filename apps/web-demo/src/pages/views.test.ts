import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { mixedMessages, seedThread } from '../test-kit/long-thread.ts';
import { chooseMore } from '../test-kit/files.ts';
import { lookAt } from '../test-kit/look.ts';
import { beginAnother, chooseServer, say, serveModel } from '../test-kit/model-server.ts';

const plan =
  '# A plan\n\n1. Look at **the files**\n2. Write `notes.md`\n\n> Then rest.\n\n| What | When |\n|---|---|\n| Rest | Now |\n\n```js\nconst answer = 42;\n```\n';

/** Pages are led at the width of a desk, whatever they were looked at with last. */
async function atDesk(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 });
}

async function goTo(page: Page, name: string): Promise<void> {
  await atDesk(page);
  await page.getByRole('link', { name, exact: true }).click();
}

it('has nothing in anybody’s way in conversations that begin, ask, answer, fail and are long', async () => {
  const big = { calls: [{ name: 'javascript', input: { code: "return 'line of text\\n'.repeat(400_000);" } }] };
  const model = await serveModel([
    { text: plan },
    { status: 401, message: 'Incorrect API key provided.' },
    big,
    { text: 'That was much.' },
    { text: plan, ends: 'hangs' },
  ]);
  const { page, faults } = await openApp();
  await page.getByRole('button', { name: 'One program' }).waitFor();
  const problems = [...(await lookAt(page, 'chat-empty'))];
  await atDesk(page);
  await say(page, 'Hello! What can you do?');
  await page.getByRole('list', { name: 'Examples to try' }).waitFor();
  problems.push(...(await lookAt(page, 'chat-greeting')));

  await atDesk(page);
  await say(page, 'write notes/todo.md: buy milk then list notes');
  await page.getByRole('button', { name: 'Allow once' }).waitFor();
  problems.push(...(await lookAt(page, 'chat-approval')));
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();

  await atDesk(page);
  await chooseServer(page, model);
  await say(page, 'Make a plan');
  await page.getByRole('heading', { name: 'A plan' }).waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await say(page, 'And another');
  await page.getByText('rejected your API key').first().waitFor();
  problems.push(...(await lookAt(page, 'chat-error')));

  await atDesk(page);
  await beginAnother(page);
  await say(page, 'Say much');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('That was much.', { exact: true }).waitFor();
  await page.locator('utensil-call').getByRole('button').first().click();
  await page.getByText('line of text').first().waitFor();
  problems.push(...(await lookAt(page, 'chat-5-mb')));

  await atDesk(page);
  await say(page, 'Plan once more');
  await page.getByRole('heading', { name: 'A plan' }).waitFor();
  problems.push(...(await lookAt(page, 'chat-streaming')));

  await seedThread(page, 'long', mixedMessages(10_000));
  await page.goto(new URL('#/chat/first/long', page.url()).href);
  await page.getByRole('heading', { name: 'Note 9999' }).waitFor();
  problems.push(...(await lookAt(page, 'chat-10000-messages')));
  expect(problems).toEqual([]);
  expect(faults).toEqual([]);
}, 180_000);

it('has nothing in anybody’s way on the pages of files, tools and models, and in dialogs', async () => {
  const { page, faults } = await openApp();
  const problems: string[] = [];
  await say(page, 'write notes/todo.md: buy milk then write notes/todo.md: buy bread then write plan.md: rest');
  await page.getByRole('button', { name: 'Allow for this answer' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();

  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await page.getByRole('switch').first().waitFor();
  problems.push(...(await lookAt(page, 'dialog-tools')));
  await atDesk(page);
  await page.keyboard.press('Escape');
  await page.locator('.meter').click();
  problems.push(...(await lookAt(page, 'dialog-request')));
  await atDesk(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Manage projects').click();
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByLabel('Name').fill('Kitchen');
  problems.push(...(await lookAt(page, 'dialog-question')));
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).click();
  problems.push(...(await lookAt(page, 'menu')));

  await goTo(page, 'Files');
  await page.getByRole('treeitem', { name: 'notes' }).waitFor();
  problems.push(...(await lookAt(page, 'files-tree')));
  await atDesk(page);
  await page.getByRole('treeitem', { name: 'plan.md' }).click();
  await page.getByRole('button', { name: 'Versions' }).waitFor();
  problems.push(...(await lookAt(page, 'files-editor')));
  await atDesk(page);
  await page.getByRole('textbox', { name: 'plan.md' }).fill('rest well\n');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('list', { name: 'Versions, newest first' }).waitFor();
  problems.push(...(await lookAt(page, 'files-versions')));
  await atDesk(page);
  await page.getByRole('button', { name: 'More' }).click();
  problems.push(...(await lookAt(page, 'files-menu')));
  await atDesk(page);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click(); // the answer to the question
  await chooseMore(page, 'Trash');
  await page.getByRole('list', { name: 'Trash, newest first' }).waitFor();
  problems.push(...(await lookAt(page, 'files-trash')));

  await goTo(page, 'Tools');
  const openTools = async (): Promise<void> => {
    await page.reload();
    await page.getByRole('switch', { name: 'Memory', exact: true }).waitFor();
  };
  problems.push(...(await lookAt(page, 'tools', openTools)));
  await goTo(page, 'Models');
  await page.getByRole('radio', { name: 'Anthropic' }).check();
  problems.push(...(await lookAt(page, 'models')));

  await atDesk(page);
  await page.getByRole('radio', { name: 'Another server' }).check();
  await page.getByLabel('Address').fill('http://127.0.0.1:1/v1'); // a port that no browser asks
  await page.getByLabel('API key').fill('sk-1');
  await page.keyboard.press('Enter');
  await page.getByText('An API key is saved').waitFor();
  await page.getByLabel('Model', { exact: true }).selectOption('Another model…');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByText('Nothing responds at').scrollIntoViewIfNeeded();
  problems.push(...(await lookAt(page, 'models-connection')));
  await atDesk(page);
  await page.getByLabel('Passphrase').fill('long enough to be one');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Lock' }).click();
  await page.getByLabel('Your passphrase').fill('not the one');
  await page.keyboard.press('Enter');
  await page.getByText('This passphrase is wrong').scrollIntoViewIfNeeded();
  problems.push(...(await lookAt(page, 'models-locked')));
  expect(problems).toEqual([]);
  expect(faults).toEqual([]);
}, 180_000);
