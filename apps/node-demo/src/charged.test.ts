// A process that charges a card is killed while the bank is at it, and another one goes on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { loopback } from '@utensil/tooling-loopback';
import { expect, it, onTestFinished } from 'vitest';
import { charge, charges } from './test-kit/charge.ts';

const program = fileURLToPath(new URL('test-kit/charge.ts', import.meta.url));

/** A bank; `kill` is called with the first request, before or behind the charge. */
async function bank(when: 'before' | 'behind', kill: () => Promise<unknown>) {
  const charged = new Map<string, number>();
  let isFirst = true;
  const server = await loopback(async ({ method, path, headers }) => {
    const key = String(headers['idempotency-key'] ?? path.split('/').at(-1));
    if (method === 'GET') return charged.has(key) ? { body: `receipt ${charged.get(key)}` } : { status: 404 };
    if (isFirst && when === 'before') {
      isFirst = false;
      await kill();
      return { end: 'hang' };
    }
    charged.set(key, charged.get(key) ?? charged.size + 1);
    if (isFirst) await kill();
    isFirst = false;
    return { body: `receipt ${charged.get(key)}` };
  });
  onTestFinished(() => server.close());
  return { url: server.url, charged };
}

it.each([
  ['keyed', 'before'],
  ['keyed', 'behind'],
  ['asked', 'before'],
  ['asked', 'behind'],
] as const)(
  'the card is charged once, and nobody is asked: a tool that is %s, killed %s the charge',
  async (kind, when) => {
    const root = await mkdtemp(join(tmpdir(), 'utensil-charged-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    let kill: () => Promise<unknown> = () => Promise.resolve();
    const { url, charged } = await bank(when, () => kill());
    const child = spawn(process.execPath, ['--conditions=@utensil/source', program, root, url, kind], {
      stdio: 'inherit',
    });
    const closed = once(child, 'close');
    kill = () => (child.kill('SIGKILL'), closed);
    expect(await closed).toEqual([null, 'SIGKILL']);
    const resumed = charge(root, charges(url)[kind], false);
    const types: string[] = [];
    for await (const { type } of resumed.events()) types.push(type);
    const { status, messages } = await resumed.result;
    expect(status).toBe('complete');
    expect(types.filter((type) => type.endsWith('-request'))).toEqual([]);
    expect(messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-result'))).toMatchObject([
      { output: 'receipt 1', isError: false },
    ]);
    expect([...charged.values()]).toEqual([1]);
  },
);
