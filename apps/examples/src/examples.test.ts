import { loopback } from '@utensil/tooling-loopback';
import { play } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import type { Reply } from '@utensil/tooling-loopback';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright';
import { expect, it, onTestFinished } from 'vitest';
import { chromiumOptions } from '../../../tooling/chromium.ts';

const main = join(import.meta.dirname, 'main.ts');

/** These run until they are ended, and have a test of their own. */
const served = ['show-it'];

/** Answers in the form that the two services document. */
const berlin = {
  latitude: 52.52,
  longitude: 13.419998,
  current: { time: '2026-11-20T10:00', interval: 900, temperature_2m: 4.6, wind_speed_10m: 11.2 },
};
const bitcoin = { bitcoin: { usd: 97_123.4 } };

it('[S3-24] runs the examples by their names, offline, in an empty folder, and leaves nothing behind', async () => {
  const weather = await serve(berlin);
  const coins = await serve(bitcoin);
  const places: Readonly<Record<string, string>> = { weather: weather.url, 'coin-price': coins.url };
  const says: Readonly<Record<string, RegExp>> = {
    weather: /celsius: 4.6, wind: 11.2/,
    'coin-price': /price: 97123.4/,
    'undo-a-turn': /^\/report\.md:1 {2}The new text\.\n\/summary\.md:1 {2}New, in short\.\nUndone: /,
  };
  const names = (await readdir(join(import.meta.dirname, 'programs'))).map((file) => file.replace(/\.ts$/, ''));
  expect(names).toEqual(expect.arrayContaining(['add-numbers', 'calculator', 'coin-price', 'weather', 'write-a-tool']));
  for (const name of names.filter((name) => !served.includes(name))) {
    const { code, output, errors, left } = await example([name, places[name] ?? []].flat());
    expect({ name, code, errors, left }).toEqual({ name, code: 0, errors: '', left: [] });
    expect(output).toMatch(says[name] ?? /\w/);
  }
  expect(weather.requests.map(({ path }) => path)).toEqual([
    '/v1/forecast?latitude=52.52&longitude=13.41&current=temperature_2m,wind_speed_10m',
  ]);
  expect(coins.requests.map(({ path }) => path)).toEqual(['/api/v3/simple/price?ids=bitcoin&vs_currencies=usd']);
}, 180_000);

it('fails if a service is down or sends something else', async () => {
  const down = await serve({ reason: 'down' }, 503);
  const other = await serve({ error: true });
  expect((await example(['weather', down.url])).code).toBe(1);
  expect((await example(['coin-price', other.url])).code).toBe(1);
});

it('asks the real vendor if its key is set, and says so', async () => {
  const said = play({ blocks: [{ type: 'text', deltas: ['You want to buy ', 'milk.'] }] }, anthropicWire);
  const vendor = await loopback(() => said);
  onTestFinished(() => vendor.close());
  const env = { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: vendor.url };
  const { code, output } = await example(['let-a-model-call-it'], env);
  expect({ code, output }).toEqual({
    code: 0,
    output: 'Asking claude-sonnet-5-5, because ANTHROPIC_API_KEY is set.\nYou want to buy milk.\n',
  });
  expect(vendor.requests.map(({ path }) => path.split('?')[0])).toEqual(['/v1/messages']);
});

it('serves a page with the switches of a tool, and a conversation that asks and continues with the answer', async () => {
  const child = spawn(process.execPath, ['--conditions=@utensil/source', main, 'show-it']);
  onTestFinished(() => void child.kill());
  const [printed] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const browser = await chromium.launch(chromiumOptions());
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(/http:\S+/.exec(printed)?.[0] ?? '');
  await page.getByText('Filesystem', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('That was all.').first().waitFor();
  expect(faults).toEqual([]);
});

it('lists the examples, each with the command and a line of what it shows', async () => {
  const all = await example([]);
  expect(all).toMatchObject({ code: 0, errors: '' });
  expect(all.output).toMatch(/^npm run example -- write-a-tool +Write a tool, and let a model call it\.$/m);
  for (const line of all.output.trim().split('\n')) expect(line).toMatch(/^npm run example -- [a-z-]+ +[A-Z].+\.$/);
  const unknown = await example(['no-such-thing']);
  expect(unknown.code).toBe(1);
  expect(unknown.errors).toContain('There is no example "no-such-thing".');
});

async function serve(answer: object, status = 200) {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const server = await loopback((): Reply => ({ status, headers, body: JSON.stringify(answer) }));
  onTestFinished(() => server.close());
  return server;
}

/** Runs the program in an empty folder, with only the path of the test's environment; `left` lists the remaining files. */
async function example(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'utensil-example-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--conditions=@utensil/source', main, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: folder, TEMP: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors, left: await readdir(folder) };
}
