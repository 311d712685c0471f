import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { beginAnother, chooseServer, say, serveModel } from '../test-kit/model-server.ts';
import type { Turn } from '../test-kit/model-server.ts';

const titles = [
  'Summarise the CSVs in /data',
  'Edit a note, and approve the change',
  'Remember my preferences',
  'One program, three tool calls',
] as const;

type Title = (typeof titles)[number];

/** Runs an example with one click. */
async function choose(page: Page, title: Title): Promise<void> {
  await page.locator('.beginning, .suggestions').getByRole('button', { name: title }).click();
}

async function ended(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send' }).waitFor();
}

/** Text of the last message. */
async function answer(page: Page): Promise<string> {
  const shown = page.locator('utensil-thread utensil-markdown').last();
  return shown.evaluate(({ shadowRoot }) =>
    [...(shadowRoot?.children ?? [])].map((each) => (each as HTMLElement).innerText).join('\n'),
  );
}

async function textOfFile(page: Page, directory: string, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('treeitem', { name: directory }).click();
  await page.getByRole('treeitem', { name }).click();
  return page.getByLabel(`Text of /${directory}/${name}`).inputValue();
}

it('did not say what it is', async () => {
  const { page, faults } = await openApp();
  await page.getByRole('heading', { name: 'Utensil is a TypeScript SDK for LLM tools' }).waitFor();
  await page.getByText('This demo runs in your browser: real files, real tool calls, no account.').waitFor();
  for (const title of titles) await page.getByRole('button', { name: title }).waitFor();
  expect(faults).toEqual([]);
});

it('summarises tables with one click: what it says of them is counted', async () => {
  const { page, faults } = await openApp();
  await choose(page, titles[0]);
  await page.getByText('I only counted and added').last().waitFor();
  const said = await answer(page);
  expect(said).toContain('/data/north.csv: 6 rows; orders 330 in total, from 42 to 71; revenue 51,385 in total');
  expect(said).toContain('/data/south.csv: 6 rows; orders 436');
  expect(said).toContain('/data/west.csv: 6 rows; orders 97');
  expect(faults).toEqual([]);
});

it('edits a note: shows the change, asks, and does nothing if it is declined', async () => {
  const { page, faults } = await openApp();
  await choose(page, titles[1]);
  const diff = page.locator('utensil-approval utensil-diff');
  await diff.getByText('- [x] Milk').waitFor();
  await page.getByRole('button', { name: /^(?:Do not allow|Don’t|Deny|Decline)/ }).click();
  await ended(page);
  expect(await answer(page)).toMatch(/✗[^]*\n\s*You declined this\.$/);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await choose(page, titles[1]);
  await page.getByRole('button', { name: 'Allow once' }).click();
  await ended(page);
  expect(await answer(page)).toContain('✓ replace');
  expect(await textOfFile(page, 'notes', 'shopping.md')).toBe('# Shopping\n\n- [ ] Bread\n- [x] Milk\n- [x] Tea\n');
  expect(faults).toEqual([]);
});

it('remembers preferences, and reads them back in another conversation', async () => {
  const { page, faults } = await openApp();
  await choose(page, titles[2]);
  await page.getByRole('button', { name: 'Allow once' }).click();
  await ended(page);
  expect(await answer(page)).toMatch(/✓ remember[^]*✓ recall preferences[^]*short answers, metric units/);
  await beginAnother(page);
  await say(page, 'recall preferences');
  await page.getByText('short answers, metric units').last().waitFor();
  expect(faults).toEqual([]);
});

it('runs one program that makes three tool calls, and reports the results', async () => {
  const { page, faults } = await openApp();
  await choose(page, titles[3]);
  await page.getByRole('button', { name: 'Allow once' }).click();
  await ended(page);
  const said = await answer(page);
  for (const total of ['/data/north.csv: 51385', '/data/south.csv: 52320', '/data/west.csv: 24250'])
    expect(said).toContain(total);
  expect(said).not.toContain('✗');
  await page.getByRole('button', { name: /Run JavaScript/ }).click();
  await expect.poll(() => page.getByText(/View \/data\/\w+\.csv/).count()).toBe(3);
  expect(faults).toEqual([]);
});

it('claimed success when the program had failed', async () => {
  const { page, faults } = await openApp();
  await page.getByRole('button', { name: titles[3] }).waitFor();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Call tools' }).uncheck();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await choose(page, titles[3]);
  await page.getByRole('button', { name: 'Allow once' }).click();
  await ended(page);
  const said = await answer(page);
  expect(said).toMatch(/✗ run[^]*tools is not defined/);
  expect(said).not.toContain('✓');
  expect(faults).toEqual([]);
});

/** Answers of a language model to each example: calls, then a word about the last result. */
const modelTurns: Readonly<Record<Title, readonly NonNullable<Extract<Turn, { calls?: unknown }>['calls']>[number][]>> =
  {
    [titles[0]]: [
      { name: 'filesystem', input: { command: 'view-all', paths: ['/data/north.csv', '/data/south.csv'] } },
    ],
    [titles[1]]: [
      {
        name: 'filesystem',
        input: { command: 'str_replace', path: '/notes/shopping.md', old_str: '[ ] Milk', new_str: '[x] Milk' },
      },
    ],
    [titles[2]]: [
      { name: 'memory', input: { command: 'create', path: '/memories/likes.md', file_text: 'short answers' } },
    ],
    [titles[3]]: [
      {
        name: 'javascript',
        input: {
          code: "const seen = await Promise.all(['north', 'south', 'west'].map((name) => tools.filesystem({ command: 'view', path: `/data/${name}.csv` }))); return seen.length + ' tables'",
        },
      },
    ],
  };

it('sends the model a sentence, not a command, for each example', async () => {
  const model = await serveModel(({ messages }, index) => {
    const title = titles[Math.floor(index / 2)];
    return messages.at(-1)?.role === 'tool' || title === undefined
      ? { text: 'That is all.' }
      : { calls: modelTurns[title] };
  });
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  for (const [index, title] of titles.entries()) {
    if (index > 0) await beginAnother(page);
    await choose(page, title);
    const allow = page.getByRole('button', { name: 'Allow once' });
    const last = page.getByText('That is all.', { exact: true });
    await allow.or(last).first().waitFor();
    if (await allow.isVisible()) await allow.click();
    await last.waitFor();
    const [first, second] = model.requests.slice(2 * index);
    const asked = first?.body.messages.findLast(({ role }) => role === 'user')?.content;
    expect(JSON.stringify(asked)).toMatch(/[A-Z][^]*[.?]/);
    expect(JSON.stringify(asked)).not.toMatch(/^"?(?:summarise|replace|remember|run) /);
    const result = second?.body.messages.at(-1);
    expect([title, result?.role]).toEqual([title, 'tool']);
    expect(JSON.stringify(result)).not.toMatch(/error|denied|not exist/i);
  }
  expect(faults).toEqual([]);
});

it('is used for the first time by keys alone: every example in turn, in one project', async () => {
  const { page, faults } = await openApp();
  for (const title of titles) {
    await page.getByRole('button', { name: title }).waitFor();
    await page.evaluate(() => document.getElementById('main')?.focus());
    await tabTo(page, title);
    await page.keyboard.press('Enter');
    if (title !== titles[0]) {
      await page.getByRole('button', { name: 'Allow once' }).waitFor(); // reading asks nobody
      await tabTo(page, 'Allow once');
      await page.keyboard.press('Enter');
    }
    await ended(page);
    await expect.poll(() => answer(page)).toContain('✓');
    expect(await answer(page)).not.toContain('✗');
    await page.getByRole('link', { name: 'New conversation' }).focus();
    await page.keyboard.press('Enter');
  }
  expect(faults).toEqual([]);
});

/** Moves the focus on until a button of that name has it. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate((name) => {
      let focused = document.activeElement;
      while (focused?.shadowRoot?.activeElement != null) focused = focused.shadowRoot.activeElement;
      return focused instanceof HTMLButtonElement && focused.innerText.includes(name);
    }, name);
    if (isThere) return;
  }
  throw new Error(`No key leads to “${name}”.`);
}

it('answers a greeting, “help” and a wrong command with buttons that run', async () => {
  const { page, faults } = await openApp();
  for (const text of ['Hello! What can you do?', 'help', 'read']) {
    if (text !== 'Hello! What can you do?') await beginAnother(page);
    await say(page, text);
    const suggestions = page.getByRole('list', { name: 'Examples to try' });
    await suggestions.waitFor();
    expect(await suggestions.getByRole('button').allTextContents()).toEqual([...titles]);
  }
  await choose(page, titles[0]);
  await page.getByText('I only counted and added').last().waitFor();
  await expect.poll(() => page.getByRole('list', { name: 'Examples to try' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

it('names the model beside the message, and follows it', async () => {
  const model = await serveModel([{ text: 'Hello to you.' }]);
  const { page, faults } = await openApp();
  await page.getByText('No model yet: try commands, or connect one.').waitFor();
  expect(await page.getByLabel('Message').getAttribute('placeholder')).toMatch(/command/);
  await page.getByRole('link', { name: 'Model: Offline demo' }).click();
  await page.getByRole('heading', { name: 'Models' }).waitFor();
  await chooseServer(page, model);
  await page.getByRole('link', { name: 'Model: Another server' }).waitFor();
  expect(await page.getByLabel('Message').getAttribute('placeholder')).toBe('Message the model');
  await page.getByText('Your messages go to Another server.').waitFor();
  await say(page, 'Hello');
  await page.getByText('Hello to you.', { exact: true }).waitFor();
  expect(await page.getByRole('list', { name: 'Examples to try' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

it('keeps what a person removed from the first files removed', async () => {
  const { page, faults } = await openApp();
  await say(page, 'delete data then delete notes');
  await page.getByRole('button', { name: 'Allow for this answer' }).click();
  await ended(page);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Write a note' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: titles[0] }).count()).toBe(0);
  await say(page, 'list');
  await page.getByText('(empty)').last().waitFor();
  expect(faults).toEqual([]);
});

it('runs an example once that is clicked twice, and puts nothing into the composer', async () => {
  const { page, faults } = await openApp();
  await page
    .getByRole('button', { name: /Write a note, and read it back|Summarise/ })
    .first()
    .dblclick();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.locator('utensil-call').first().waitFor();
  await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
  expect(await page.locator('utensil-thread .message.user').count()).toBe(1);
  expect(faults).toEqual([]);
});
