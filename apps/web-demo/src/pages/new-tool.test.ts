import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApp } from '../test-kit/browser.ts';
import { chooseServer, say, serveModel } from '../test-kit/model-server.ts';

it('[A1-06] gives a tool that is one file its switch, its stored options, its prompt and its calls', async () => {
  const folder = join(import.meta.dirname, '..');
  const mentioned = globSync('**/*.{ts,tsx,css}', { cwd: folder }).filter(
    (path) => !path.endsWith('.test.ts') && /roll_?dice|lucky/i.test(readFileSync(join(folder, path), 'utf8')),
  );
  expect(mentioned).toEqual(['tools/roll-dice.ts']);

  const roll = { calls: [{ name: 'roll_dice', input: { sides: 6 } }] };
  const model = await serveModel([roll, { text: 'Rolled.' }, roll, { text: 'Not rolled.' }]);
  const { page, context, faults } = await openApp();
  await chooseServer(page, model);
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('spinbutton', { name: 'How many dice' }).fill('3');
  await page.getByRole('checkbox', { name: 'Lucky' }).check();
  const stored = await openApp({ context, path: '#/tools' }); // another tab has only stored data
  await expect.poll(() => stored.page.getByRole('spinbutton', { name: 'How many dice' }).inputValue()).toBe('3');
  await expect.poll(() => stored.page.getByRole('checkbox', { name: 'Lucky' }).isChecked()).toBe(true);

  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'Roll');
  await page.getByText('Rolled.', { exact: true }).waitFor();
  const [asked, answered] = model.requests.map(({ body }) => body);
  expect(asked?.tools?.find((tool) => tool.function.name === 'roll_dice')?.function.description).toBe('Rolls 3 dice.');
  expect(JSON.stringify(asked?.messages[0])).toContain('never make up a roll');
  expect(JSON.stringify(answered?.messages.at(-1))).toMatch(/6,\s*6,\s*6/);
  await page.getByText('Roll 6-sided dice').waitFor();

  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('switch', { name: 'Dice', exact: true }).click();
  await page.getByRole('link', { name: 'Roll', exact: true }).click();
  await say(page, 'Once more');
  await page.getByText('Not rolled.', { exact: true }).waitFor();
  expect(JSON.stringify(model.requests[2]?.body.tools)).not.toContain('roll_dice');
  expect(JSON.stringify(model.requests[3]?.body.messages.at(-1))).toContain('Unknown tool: roll_dice');
  expect(faults).toEqual([]);
});
