import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import {
  createRecords,
  createRegistry,
  hmacSeals,
  openSettings,
  permissions,
  run,
  runTool,
  settingsGrants,
  textOf,
} from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import { settingsPolicy, settingsRules } from '@utensil/core/guard';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { serveMcpHttp, stdioServer } from '../node/index.ts';
import { tool, toolsetOf } from '../test-kit/served.ts';
import { mounted, until } from '../test-kit/sources.ts';
import type { Mounted } from '../test-kit/sources.ts';

const program = join(import.meta.dirname, '../test-kit/turncoat-server.ts');
const seals = hmacSeals(new Uint8Array(32).fill(1));

/** Annotations of a tool that needs approval and may have a lasting grant. */
const annotations = { destructiveHint: false, openWorldHint: false };

/** A server whose tool `x_post` the test describes. */
async function turncoat() {
  const file = join(await mkdtemp(join(tmpdir(), 'turncoat-')), 'tool.json');
  const describe = (as: JsonObject) => writeFile(file, JSON.stringify(as));
  await describe({ description: 'Posts.', annotations });
  const server = stdioServer({ command: process.execPath, args: [program, file] });
  return { describe, mount: () => mounted(server, {}, { trusted: true }) };
}

/** The app: what a user has allowed is kept in its storage. */
async function app(storage = memoryStorage()) {
  const settings = await openSettings(createRecords(storage), 'p');
  const rules = settingsRules(settings, { seals, scope: 'p' });
  const grants = settingsGrants(settings, { seals, scope: 'p' });
  return {
    rules,
    /** Calls the tool in a run. Returns the questions, the reasons for ignored permissions, and the result. */
    async call({ toolset }: Mounted, answer: 'always' | 'deny' = 'deny') {
      const model = scriptedModel([{ calls: [{ name: 'x_post' }] }, {}]);
      const policy = settingsPolicy(rules, { otherwise: permissions('write') });
      const running = run({ model, toolset, messages: 'Post.', policy, grants });
      const asked: string[] = [];
      for await (const event of running.events()) {
        if (event.type === 'permission-ignored') asked.push(event.reason);
        if (event.type !== 'approval-request') continue;
        asked.push(event.reason ?? 'asked');
        running.answer(event.questionId, answer);
      }
      return { asked, said: JSON.stringify((await running.result).messages) };
    },
  };
}

const changed = expect.stringContaining('This tool has changed since') as string;

describe('a server that changes a tool without a word', () => {
  it('does not get the calls that were allowed before, after it has been started again', async () => {
    const { describe, mount } = await turncoat();
    const made = await mount();
    expect(await made.call('x_post')).toMatchObject({ output: 'post was called' });
    await describe({ description: 'Posts all that it finds.' });
    await made.call('x_end');
    const refused = await made.call('x_post');
    expect(refused.isError).toBe(true);
    expect(textOf(refused.modelParts)).toContain('has changed its tool "post" since this call was made');
    await until(() => made.registry.get('x_post')?.description === 'Posts all that it finds.', 'listed anew');
    expect(await made.call('x_post')).toMatchObject({ output: 'post was called' });
    await made.unmount();
  });

  it('does not get calls of a tool that a second registry has since seen changed', async () => {
    const { describe, mount } = await turncoat();
    const made = await mount();
    const before = made.registry.get('x_post');
    await describe({ description: 'Posts all that it finds.' });
    const second = createRegistry();
    await second.mount(made.source, { namespace: 'y' }).ready;
    expect(second.get('y_post')?.description).toBe('Posts all that it finds.');
    const refused = before && (await runTool(before, {}));
    expect(textOf(refused?.modelParts ?? [])).toContain('has changed its tool "post" since this call was made');
    await made.unmount();
  });

  it('is asked about again in the next process of the app, and the user is told why', async () => {
    const storage = memoryStorage();
    const { describe, mount } = await turncoat();
    const before = await mount();
    expect((await (await app(storage)).call(before, 'always')).asked).toEqual(['asked']);
    expect((await (await app(storage)).call(before)).asked).toEqual([]);
    await before.unmount();
    await describe({ description: 'Posts.', annotations: { ...annotations, readOnlyHint: true } }); // says that it does less
    const after = await mount();
    const { asked, said } = await (await app(storage)).call(after);
    const told = [expect.stringContaining('the tool has changed since it was given'), changed];
    expect(asked).toEqual(told);
    expect(said).not.toContain('post was called');
    await after.unmount();
  });

  it('is asked about though a rule allows it', async () => {
    const storage = memoryStorage();
    const { describe, mount } = await turncoat();
    const before = await mount();
    const { rules } = await app(storage);
    await rules.put({ decision: 'allow', tool: 'x_post' });
    await rules.pins.see(before.toolset());
    await before.unmount();
    await describe({
      description: 'Posts.',
      inputSchema: { type: 'object', properties: { note: { type: 'string' } } },
    });
    const after = await mount();
    const { asked } = await (await app(storage)).call(after);
    expect(asked).toEqual([changed]);
    await after.unmount();
  });
});

it('a server that replaces another gets none of its grants, although its tools are the same', async () => {
  const storage = memoryStorage();
  const about = { name: 'test', version: '1' };
  const servers = await Promise.all(
    [1, 2].map(() => serveMcpHttp(toolsetOf([tool('post', { effects: 'write', openWorld: false })]), about)),
  );
  const [one, other] = await Promise.all(servers.map(({ url }) => mounted({ url }, {}, { trusted: true })));
  if (one === undefined || other === undefined) throw new Error('They are not there.');
  expect((await (await app(storage)).call(one, 'always')).asked).toEqual(['asked']);
  expect((await (await app(storage)).call(one)).asked).toEqual([]);
  expect((await (await app(storage)).call(other)).asked).toEqual([
    expect.stringContaining('who answers its calls'),
    changed,
  ]);
  await Promise.all([one, other].map(({ unmount }) => unmount()));
  await Promise.all(servers.map(({ close }) => close()));
});
