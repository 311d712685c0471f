import { chromium } from 'playwright';
import { expect, test } from 'vitest';
import { chromiumOptions } from './chromium.ts';

const flag = '--disable-features=';

/** Each list of features that a Chromium is started without; the last one counts. */
async function listsOf(options: { readonly executablePath: string; readonly args?: string[] }): Promise<string[][]> {
  const server = await chromium.launchServer(options);
  const lists = server.process().spawnargs.filter((word) => word.startsWith(flag));
  await server.close();
  return lists.map((list) => list.slice(flag.length).split(','));
}

test('the Chromium of tests is without each feature that Playwright switches off', async () => {
  const { executablePath } = chromiumOptions();
  const [playwrights = []] = await listsOf({ executablePath });
  const ours = (await listsOf(chromiumOptions())).at(-1) ?? [];
  expect(playwrights).toContain('HttpsUpgrades');
  expect(ours).toEqual(expect.arrayContaining(playwrights));
  expect(ours).toContain('WebUIOmniboxPopup');
});
