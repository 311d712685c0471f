// Finds the Chromium for browser tests. As a program it also installs one if there is none.

import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  createReadStream,
  createWriteStream,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { chromium } from 'playwright';

const root = join(import.meta.dirname, '..');
const home = join(root, '.toolchain/chromium');
const carrier = '@sparticuz/chromium@153.0.0';
const carried = join(home, 'run');
const isCarried = process.platform === 'linux' && process.arch === 'x64';

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  chromium.executablePath(),
];

/**
 * In order of preference: named in CHROMIUM_PATH, from an npm package, installed, downloaded by Playwright. That of the
 * package is a headless shell, which takes about half the CPU time of one with windows.
 */
export function chromiumPath(): string | undefined {
  const places = [process.env['CHROMIUM_PATH'], carried, ...installed];
  return places.find((path) => path !== undefined && isExecutable(path));
}

/** Features of Chromium that no test needs. Its last list counts, so Playwright's own come first. */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  // Address bar suggestions are pages of their own: invisible here, and each window takes a second to create them.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

/** Playwright's launch options for tests. */
export function chromiumOptions(words: readonly string[] = []): { executablePath: string; args: string[] } {
  return {
    executablePath: chromiumPath() ?? 'chromium',
    args: [`--disable-features=${disabledFeatures.join()}`, ...words],
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function download(): void {
  const cli = join(root, 'node_modules/playwright/cli.js');
  const env = { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' };
  spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'ignore', timeout: 180_000, env });
}

/** A Chromium with its libraries and fonts from an npm package. Needs no root. */
async function unpackCarried(): Promise<void> {
  const retries = `--fetch-retries=${chromiumPath() === undefined ? 2 : 0}`;
  run('npm', ['install', '--prefix', home, '--no-save', '--ignore-scripts', '--loglevel=error', retries, carrier]);
  const parts = join(home, 'node_modules/@sparticuz/chromium/bin');
  const unbrotli = async (name: string): Promise<void> =>
    pipeline(
      createReadStream(join(parts, `${name}.br`)),
      createBrotliDecompress(),
      createWriteStream(join(home, name)),
    );
  await unbrotli('chromium');
  chmodSync(join(home, 'chromium'), 0o755);
  for (const archive of ['al2023.tar', 'swiftshader.tar', 'fonts.tar']) {
    await unbrotli(archive);
    run('tar', ['-xf', join(home, archive), '-C', home]);
    rmSync(join(home, archive));
  }
  // The machine's own libraries have priority over the bundled ones.
  const libraries = `/usr/lib/x86_64-linux-gnu:/usr/lib64:${home}/lib`;
  const starter = `#!/bin/sh\nexport LD_LIBRARY_PATH="${libraries}"\nexec "${home}/chromium" "$@"\n`;
  writeFileSync(join(home, 'run.new'), starter, { mode: 0o755 });
  rmSync(join(home, 'node_modules'), { recursive: true });
  renameSync(join(home, 'run.new'), carried); // renamed last, so that an incomplete one is never found
}

function run(command: string, words: readonly string[]): void {
  const { status } = spawnSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${words[0] ?? ''} failed for ${carrier}`);
}

if (process.argv[1] === import.meta.filename) {
  const isNamed = process.env['CHROMIUM_PATH'] !== undefined;
  if (isCarried && !isNamed && !isExecutable(carried)) await unpackCarried().catch(console.error);
  if (chromiumPath() === undefined) download();
  const path = chromiumPath();
  if (path === undefined) throw new Error('There is no Chromium: install one, or name one in CHROMIUM_PATH.');
  console.log(path);
}
