import { join } from 'node:path';
import process from 'node:process';
import { createRegistry, emptySettings, permissions, resolveToolset, run, textOf } from '@utensil/core';
import type { JsonObject, RunOptions } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { describe, expect, it } from 'vitest';
import { stdioServer } from '../node/index.ts';
import { mounted } from '../test-kit/sources.ts';
import { mcpSource, samplingTool } from './index.ts';
import type { McpSourceOptions } from './index.ts';
import { answersTo } from './rounds.ts';
import type { AskingCall } from './rounds.ts';

const asking = (kind = 'asking') =>
  stdioServer({ command: process.execPath, args: [join(import.meta.dirname, `../test-kit/${kind}-server.ts`)] });

/** A run in which the server asks the model; the second turn of the script is the answer to it. */
async function sampled(
  called: string,
  {
    times = 1,
    answer = 'once',
    ...more
  }: McpSourceOptions & { times?: number; answer?: 'once' | 'deny'; limits?: RunOptions['limits'] } = {},
  kind = 'asking',
) {
  const { limits, ...options } = more;
  const registry = createRegistry([samplingTool()]);
  const { ready, unmount } = registry.mount(mcpSource(asking(kind), options), { namespace: 'x', trusted: true });
  await ready;
  const model = scriptedModel([
    { calls: Array.from({ length: times }, () => ({ name: called })) },
    { text: 'Ada wrote something long.', usage: { inputTokens: 90, outputTokens: 9 } },
    { text: 'Done.' },
  ]);
  const policy = permissions('write');
  const running = run({
    model,
    toolset: resolveToolset(registry, emptySettings, {}),
    messages: 'Secret.',
    policy,
    ...(limits && { limits }),
  });
  const asked: JsonObject[] = [];
  for await (const event of running.events()) {
    if (event.type !== 'approval-request') continue;
    if (event.name === 'answer_server') asked.push(event.input);
    running.answer(event.questionId, event.name === 'answer_server' ? answer : 'once');
  }
  const { messages, status } = await running.result;
  await unmount();
  const said = messages.flatMap(({ role, parts }) =>
    role === 'tool' ? parts.flatMap((part) => (part.type === 'tool-result' ? [textOf(part.modelParts)] : [])) : [],
  );
  return { asked, said, status, requests: model.requests };
}

const sampling = { tool: 'answer_server' };

describe('a server that asks for an answer of the model', () => {
  it('gets one when the user has seen the request and allowed it, without the conversation and without tools', async () => {
    const { asked, said, requests } = await sampled('x_sample', { sampling, name: 'shop' });
    expect(asked).toEqual([
      {
        server: 'The MCP server "shop"',
        system: 'Be brief.',
        messages: [{ role: 'user', text: 'Summarise: Ada wrote.' }],
        maxTokens: 2,
      },
    ]);
    expect(said[0]).toContain('"text":"Ada wrot"'); // two tokens
    const [, request] = requests;
    expect(request?.tools).toEqual([]);
    expect(JSON.stringify(request)).toContain('Be brief.');
    expect(JSON.stringify(request)).not.toContain('Secret.');
    expect(requests[0]?.tools.map(({ name }) => name)).not.toContain('answer_server'); // models do not see it
  });

  it('gets none when the user refuses, and is not told more', async () => {
    const { said, requests } = await sampled('x_sample', { sampling, answer: 'deny' });
    expect(said[0]).toContain('The request was not answered.');
    expect(said[0]).not.toContain('user denied');
    expect(requests).toHaveLength(2); // none was for the server
  });

  it('gets none by default, and is told so from the beginning', async () => {
    const { asked, said } = await sampled('x_sample');
    expect(said[0]).toContain('-32601');
    expect(asked).toEqual([]);
  });

  it('gets none for images', async () => {
    const { asked, said } = await sampled('x_image', { sampling });
    expect(said[0]).toContain('Only texts are answered.');
    expect(asked).toEqual([]);
  });

  it('gets none for a request longer than its tokens, which no model is sent', async () => {
    const { said, requests } = await sampled('x_long', { sampling }, 'insistent');
    expect(said[0]).toContain('The request was not answered.');
    expect(requests).toHaveLength(2); // none was for the server
  });

  it('gets no more than the most in one call', async () => {
    const { said } = await sampled('x_sample', { sampling: { ...sampling, requests: 0 } });
    expect(said[0]).toContain('No more than 0 requests are answered in one call.');
  });

  it('draws on the limits of the run', async () => {
    const limits = { tokens: 50 }; // its own turns take none
    expect((await sampled('x_sample', { sampling, limits })).status).toBe('limit');
    expect((await sampled('x_sample', { sampling, limits, answer: 'deny' })).status).toBe('complete');
  });
});

describe('roots', () => {
  const roots = [{ uri: 'file:///home/ada/project', name: 'Project' }];

  it('are those that the app offers, as they are when the server asks', async () => {
    let now = roots;
    const { call, unmount } = await mounted(asking(), { roots: () => now });
    expect(JSON.parse(String((await call('x_roots')).output))).toEqual({ roots });
    now = [];
    expect(JSON.parse(String((await call('x_roots')).output))).toEqual({ roots: [] });
    await unmount();
  });

  it('that are not files are refused', async () => {
    const { call, unmount } = await mounted(asking(), { roots: [{ uri: 'https://example.com/' }] });
    expect((await call('x_roots')).output).toContain('must be a file: address');
    await unmount();
  });
});

it.each<[McpSourceOptions, object]>([
  [{}, {}],
  [{ sampling }, { sampling: {} }],
  [{ roots: [] }, { roots: {} }],
  [{ ask: () => 'decline' }, { elicitation: { form: {}, url: {} } }],
])('a server is told of what the app offers, and of nothing else: %j', async (options, told) => {
  const { call, unmount } = await mounted(asking(), options);
  expect(JSON.parse(String((await call('x_capabilities')).output))).toEqual(told);
  await unmount();
});

describe('since 2026-07-28', () => {
  const call: AskingCall = {
    callId: 'c',
    signal: new AbortController().signal,
    isParked: false,
    sampled: 0,
    asked: 0,
    call: async (name, input) => ({ output: `${name} ${JSON.stringify(input['messages'])}`, isError: false }) as never,
  };
  const requests = {
    dirs: { method: 'roots/list' },
    model: {
      method: 'sampling/createMessage',
      params: { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 },
    },
  };

  it('the answers to both are in the next round', async () => {
    const options = { sampling, roots: [{ uri: 'file:///a' }] };
    expect(await answersTo({ requests, state: 's' }, options, { server: 'x', call })).toEqual({
      requestState: 's',
      inputResponses: {
        dirs: { roots: [{ uri: 'file:///a' }] },
        model: {
          role: 'assistant',
          model: 'unknown',
          stopReason: 'endTurn',
          content: { type: 'text', text: 'answer_server [{"role":"user","text":"Hi"}]' },
        },
      },
    });
  });

  it.each([{}, { sampling }, { roots: [] }])('what is not offered ends the call: %j', async (options) => {
    await expect(answersTo({ requests }, options, { server: 'x', call })).rejects.toThrow('does not offer to tell');
  });
});
