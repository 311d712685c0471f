import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Result } from 'axe-core';
import type { Page } from 'playwright';
import { inject } from 'vitest';

const isLong = inject('isLong');

/** Folder of screenshots, for people to look at. */
const folder = join(import.meta.dirname, '../../../../.results/screenshots');

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

type Look = readonly [colorScheme: 'light' | 'dark', sizes: readonly { width: number; height: number }[]];

/** A sample has each size and each scheme once. */
const looks: readonly Look[] = isLong
  ? [
      ['light', [desk, phone]],
      ['dark', [desk, phone]],
    ]
  : [
      ['light', [desk]],
      ['dark', [phone]],
    ];

/**
 * Opens a view at desktop and phone size, light and dark, and returns the violations that axe finds, one per line. With
 * `LONG=1` it also saves a screenshot of each. Parts that are laid out only once visible keep their old colours: reopen
 * such a view.
 */
export async function lookAt(page: Page, name: string, openAgain?: () => Promise<void>): Promise<readonly string[]> {
  if (isLong) mkdirSync(folder, { recursive: true });
  const problems: string[] = [];
  for (const [colorScheme, sizes] of looks) {
    await page.setViewportSize(desk); // while nothing is hidden as the colours change
    await page.emulateMedia({ colorScheme });
    await openAgain?.();
    for (const size of sizes) {
      await page.setViewportSize(size);
      await drawn(page);
      if (isLong) await page.screenshot({ path: join(folder, `${name}-${size.width}-${colorScheme}.png`) });
      const found = await violationsAtRest(page);
      problems.push(...found.map((problem) => `${name}, ${size.width} px, ${colorScheme}: ${problem}`));
    }
  }
  return problems;
}

/** Resolves once the page has settled after a change of width or colours. */
async function drawn(page: Page): Promise<void> {
  for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Violations that remain after transitions of colours have ended. */
async function violationsAtRest(page: Page): Promise<readonly string[]> {
  const found = await violations(page);
  if (found.length === 0) return found;
  await drawn(page);
  return violations(page);
}

async function violations(page: Page): Promise<readonly string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(`(() => { ${axe.source} })()`);
  const found = await page.evaluate<readonly Result[]>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
