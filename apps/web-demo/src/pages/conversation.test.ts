import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

const write = (text: string) => ({
  calls: [{ name: 'filesystem', input: { command: 'create', path: '/a.md', file_text: text } }],
});

it('[S3-26] regenerates an answer and edits a question, keeps both versions, and offers the tools each time', async () => {
  const model = await serveModel(['first', 'second', 'third', 'fourth'].map((text) => ({ text: `${text} answer` })));
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Say something');
  await page.getByText('first answer', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Regenerate' }).last().click();
  await page.getByText('second answer', { exact: true }).waitFor();
  expect(await page.getByText('first answer', { exact: true }).count()).toBe(0);
  expect(model.requests[1]?.body.messages.map(({ role }) => role)).toEqual(['system', 'user']);

  await page.getByRole('button', { name: 'Previous version' }).last().click();
  await page.getByText('first answer', { exact: true }).waitFor();
  await say(page, 'Go on');
  await page.getByText('third answer', { exact: true }).waitFor();
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('first answer');
  expect(JSON.stringify(model.requests[2]?.body.messages)).not.toContain('second answer');

  await page.getByRole('button', { name: 'Edit' }).last().click();
  await page
    .getByRole('textbox', { name: /Edit|message/i })
    .first()
    .fill('Go on differently');
  await page
    .getByRole('button', { name: /^(Save|Send)/ })
    .first()
    .click();
  await page.getByText('fourth answer', { exact: true }).waitFor();
  const said = model.requests[3]?.body.messages.filter(({ role }) => role === 'user');
  expect(JSON.stringify(said?.at(-1))).toContain('Go on differently');

  await page.reload();
  await page.getByText('fourth answer', { exact: true }).waitFor();
  const offered = model.requests.map(({ body }) => body.tools?.map((tool) => tool.function.name));
  expect(new Set(offered.map((names) => names?.join())).size).toBe(1);
  expect(offered[0]).toContain('filesystem');
  expect(faults).toEqual([]);
});

it('asks before a change, shows it, and takes no for an answer', async () => {
  const model = await serveModel([write('one\n'), { text: 'Well, no.' }, write('two\n'), { text: 'There it is.' }]);
  const { page, faults } = await openApp();
  await chooseServer(page, model);
  await say(page, 'Write it');
  await page.getByText('Added: one').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Well, no.', { exact: true }).waitFor();
  expect(JSON.stringify(model.requests[1]?.body.messages.at(-1))).toMatch(/not allowed|denied|did not/i);

  await say(page, 'Then this');
  await page.getByRole('button', { name: 'Allow for this answer' }).click();
  await page.getByText('There it is.', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('treeitem', { name: 'a.md' }).click();
  await expect.poll(() => page.getByLabel('Text of /a.md').inputValue()).toBe('two\n');
  expect(faults).toEqual([]);
});
