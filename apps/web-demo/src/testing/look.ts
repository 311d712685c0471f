import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright';

/** Where pictures are kept, for people to look at. */
const folder = join(import.meta.dirname, '../../../../.results/screenshots');

const widths = [1280, 390];
const colorSchemes = ['light', 'dark'] as const;

/**
 * Looks at a view at each width, light and dark: keeps a picture of each, and gives what axe finds wrong, one line each. What
 * is not laid out before it is seen keeps its old colours, so a view that has such parts is to be opened again.
 */
export async function lookAt(page: Page, name: string, openAgain?: () => Promise<void>): Promise<readonly string[]> {
  mkdirSync(folder, { recursive: true });
  const problems: string[] = [];
  for (const colorScheme of colorSchemes) {
    await page.setViewportSize({ width: 1280, height: 800 }); // where nothing is hidden as the colours change
    await page.emulateMedia({ colorScheme });
    await openAgain?.();
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
      await drawn(page);
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      const found = await violations(page);
      problems.push(...found.map((problem) => `${name}, ${width} px, ${colorScheme}: ${problem}`));
    }
  }
  return problems;
}

/** What follows a change of width or colours has followed. */
async function drawn(page: Page): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame));
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`);
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
