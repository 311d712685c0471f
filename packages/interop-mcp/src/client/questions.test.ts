import { join } from 'node:path';
import process from 'node:process';
import {
  createRegistry,
  emptySettings,
  hmacSeals,
  memoryThread,
  permissions,
  resolveToolset,
  resume,
  run,
  textOf,
} from '@utensil/core';
import type { Seals, Thread } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { describe, expect, it } from 'vitest';
import { serveMcpHttp, stdioServer } from '../node/index.ts';
import { tool, toolsetOf } from '../test-kit/served.ts';
import { mounted } from '../test-kit/sources.ts';
import { mcpSource } from './index.ts';
import type { McpAnswer, McpAskContext, McpQuestion } from './index.ts';

const asking = (): ReturnType<typeof stdioServer> =>
  stdioServer({ command: process.execPath, args: [join(import.meta.dirname, '../test-kit/asking-server.ts')] });

/** Answers each question, and keeps them. */
function person(answer: McpAnswer) {
  const asked: McpQuestion[] = [];
  const ask = (question: McpQuestion): McpAnswer => {
    asked.push(question);
    return answer;
  };
  return { asked, ask };
}

describe('a question of a server of 2025', () => {
  it('is a form of options, and its answer has defaults for omitted fields', async () => {
    const { asked, ask } = person({ accept: { name: 'Ada' } });
    const { call, unmount } = await mounted(asking(), { ask, name: 'shop' });
    const { output } = await call('x_form');
    expect(JSON.parse(String(output))).toEqual({ action: 'accept', content: { name: 'Ada', size: 'm', count: 2 } });
    expect(asked).toMatchObject([
      {
        type: 'form',
        server: 'The MCP server "shop"',
        message: 'Who is it for?',
        fields: {
          name: { kind: 'text', label: 'Your name' },
          size: {
            kind: 'select',
            choices: [
              { value: 's', label: 'Small' },
              { value: 'm', label: 'Medium' },
            ],
            default: 'm',
          },
          count: { kind: 'number', min: 1, step: 1, default: 2 },
          gift: { kind: 'boolean', default: false },
        },
      },
    ]);
    await unmount();
  });

  it('that leads to a page shows the whole address', async () => {
    const { asked, ask } = person('accept');
    const { call, unmount } = await mounted(asking(), { ask });
    expect(await call('x_page')).toMatchObject({ output: '{"action":"accept"}' });
    expect(asked).toMatchObject([{ type: 'url', url: 'https://example.com/sign-in?x=1', message: 'Sign in there.' }]);
    await unmount();
  });

  it('that leads to a script is shown to nobody', async () => {
    const { asked, ask } = person('accept');
    const { call, problems, unmount } = await mounted(asking(), { ask });
    expect(await call('x_script')).toMatchObject({ output: '{"action":"decline"}' });
    expect(asked).toEqual([]);
    expect(problems.join()).toContain('neither https: nor of this machine');
    await unmount();
  });

  it('that must be answered before the call is checked, is answered first; then the call runs once', async () => {
    const { asked, ask } = person('accept');
    const { call, unmount } = await mounted(asking(), { ask });
    expect(await call('x_first')).toMatchObject({ output: 'ran' });
    expect(asked).toHaveLength(1);
    await unmount();
  });

  it.each<[McpAnswer, string]>([
    ['decline', 'decline'],
    ['cancel', 'cancel'],
    ['later', 'cancel'], // the connection cannot wait for it
  ])('may be answered with %j', async (answer, action) => {
    const { call, unmount } = await mounted(asking(), { ask: person(answer).ask });
    expect(await call('x_form')).toMatchObject({ output: JSON.stringify({ action }) });
    await unmount();
  });

  it('is refused if nobody can be asked', async () => {
    const { call, unmount } = await mounted(asking());
    const { output } = await call('x_form');
    expect(output).toContain('-32601');
    await unmount();
  });

  it('with an answer that does not fit is answered by nothing', async () => {
    const { call, unmount } = await mounted(asking(), { ask: person({ accept: { name: 7 } }).ask });
    const { output } = await call('x_form');
    expect(output).toContain('does not fit the question');
    await unmount();
  });
});

describe('a question since 2026-07-28', () => {
  const calls: unknown[] = [];
  const write = tool('write', { effects: 'write', execute: (input) => (calls.push(input), 'written') });
  const serve = () => serveMcpHttp(toolsetOf([write]), { name: 'asks', version: '1', policy: permissions('write') });

  it.each<[McpAnswer, string, number]>([
    [{ accept: { permission: 'once' } }, 'written', 1],
    ['decline', 'denied', 0],
  ])('is the result of a call, and %j is brought with the next', async (answer, text, count) => {
    calls.length = 0;
    const server = await serve();
    const { asked, ask } = person(answer);
    const { call, unmount } = await mounted({ url: server.url }, { ask });
    expect(textOf((await call('x_write', { a: 1 })).modelParts).toLowerCase()).toContain(text);
    expect(calls).toHaveLength(count);
    expect(asked).toMatchObject([{ type: 'form', fields: { permission: { kind: 'select' } } }]);
    await unmount();
    await server.close();
  });

  /** A process: its own registry and connection, over one thread. */
  function processOf(
    url: string,
    thread: Thread,
    { ask, seals }: { ask: (q: McpQuestion, c: McpAskContext) => McpAnswer; seals?: Seals },
  ) {
    const registry = createRegistry();
    const source = mcpSource({ url }, { ask, ...(seals && { seals }) });
    const { ready, unmount } = registry.mount(source, { namespace: 'x' });
    const toolset = () => resolveToolset(registry, emptySettings, {});
    return { thread, toolset, ready, unmount };
  }

  it('may be answered in the next process: the call waits in the thread, and runs once', async () => {
    calls.length = 0;
    const [server, thread, seals] = [await serve(), memoryThread('t'), hmacSeals(new Uint8Array(32).fill(7))];
    const model = scriptedModel([
      { calls: [{ name: 'x_write', input: { a: 1 } }] },
      { text: 'I wait.' },
      { text: 'Done.' },
    ]);
    const first = processOf(server.url, thread, { ask: () => 'later', seals });
    await first.ready;
    expect(await run({ ...first, model, messages: 'Write.', detached: { parkAfterMs: 0 } }).result).toMatchObject({
      status: 'needs-results',
    });
    await first.unmount();
    expect(calls).toEqual([]);

    const contexts: McpAskContext[] = [];
    const second = processOf(server.url, thread, {
      seals,
      ask: (_, context) => (contexts.push(context), { accept: { permission: 'once' } }),
    });
    await second.ready;
    const { status, messages } = await resume({ ...second, model }).result;
    expect(status).toBe('complete');
    expect(calls).toEqual([{ a: 1 }]);
    expect(contexts).toMatchObject([{ isParked: true }]);
    expect(JSON.stringify(messages)).toContain('written');
    await second.unmount();
    await server.close();
  });

  it('is not answered for a process that cannot tell who wrote it into the thread', async () => {
    calls.length = 0;
    const [server, thread] = [await serve(), memoryThread('t')];
    const model = scriptedModel([
      { calls: [{ name: 'x_write', input: { a: 1 } }] },
      { text: 'I wait.' },
      { text: 'Done.' },
    ]);
    const first = processOf(server.url, thread, { ask: () => 'later' });
    await first.ready;
    await run({ ...first, model, messages: 'Write.', detached: { parkAfterMs: 0 } }).result;
    await first.unmount();
    const second = processOf(server.url, thread, { ask: () => ({ accept: { permission: 'once' } }) });
    await second.ready;
    const { messages } = await resume({ ...second, model }).result;
    expect(calls).toEqual([]);
    expect(JSON.stringify(messages)).toContain('with its current key');
    await second.unmount();
    await server.close();
  });
});
