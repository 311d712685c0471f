import { expect, it } from 'vitest';
import { openApp, useBrowser } from '../testing/browser.ts';
import { say } from '../testing/model-server.ts';

useBrowser();

it('reads every table of a folder, adds up a column and writes a report, in one call of the model', async () => {
  const { page, faults } = await openApp();
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  const tables = [
    { path: '/data/north.csv', text: 'town,amount\nOslo,3\nBergen,4\n' },
    { path: '/data/south.csv', text: 'town,amount\nRome,30\n' },
    { path: '/data/notes.md', text: 'not, a table, 100' },
  ];
  const bundle = JSON.stringify({ format: 'utensil-bundle', version: 1, sections: {}, entries: tables });
  await page.getByLabel('An exported project').setInputFiles({
    name: 'tables.json',
    mimeType: 'application/json',
    buffer: Buffer.from(bundle),
  });
  await page.getByText('3 files were imported.').waitFor();
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Call tools' }).check();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByText('No model: a demonstration', { exact: true }).click();
  await page.getByRole('link', { name: 'New conversation' }).click();
  await say(page, 'Read every csv in /data, sum column 2, write /out/report.json');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('The sums are in /out/report.json.', { exact: false }).last().waitFor();
  expect(await page.getByRole('button', { name: /JavaScript|javascript|Run/ }).count()).toBe(1);

  await page.getByRole('link', { name: 'Files', exact: true }).click();
  await page.getByRole('treeitem', { name: 'out' }).click();
  await page.getByRole('treeitem', { name: 'report.json' }).click();
  await expect
    .poll(async () => JSON.parse(await page.getByLabel('Text of /out/report.json').inputValue()) as unknown)
    .toEqual({ sums: { 'north.csv': 7, 'south.csv': 30 }, total: 37 });
  expect(faults).toEqual([]);
});
