import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright';

/** Where pictures are kept, for people to look at. */
const folder = join(import.meta.dirname, '../../../../.results/screenshots');

const widths = [1280, 390];
const colorSchemes = ['light', 'dark'] as const;

/** Rules that are to hold: all of them, and once more in the dark those that look at colours. */
const rules: Readonly<Record<(typeof colorSchemes)[number], RunOptions>> = {
  light: { resultTypes: ['violations'] },
  dark: { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] },
};

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
      const found = await violationsAtRest(page, rules[colorScheme]);
      problems.push(...found.map((problem) => `${name}, ${width} px, ${colorScheme}: ${problem}`));
    }
  }
  return problems;
}

/** What follows a change of width or colours has followed. */
async function drawn(page: Page): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Violations that remain after transitions of colours have ended. */
async function violationsAtRest(page: Page, options: RunOptions): Promise<readonly string[]> {
  const found = await violations(page, options);
  if (found.length === 0) return found;
  await drawn(page);
  return violations(page, options);
}

async function violations(page: Page, options: RunOptions): Promise<readonly string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(`(() => { ${axe.source} })()`);
  const found = await page.evaluate<readonly Result[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
