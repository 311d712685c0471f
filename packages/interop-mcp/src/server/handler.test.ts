import { jsonSchema, result } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { connect, deferred, post, rawCall, serve, tool, toolsetOf } from '../test-kit/served.ts';
import type { Era } from '../test-kit/served.ts';

const eras: readonly Era[] = ['legacy', '2026-07-28'];
const doubled: Partial<Tool> = {
  input: jsonSchema({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
  output: jsonSchema({ type: 'array', items: { type: 'number' } }),
  execute: (input) => [(input as { n: number }).n * 2],
};

describe.each(eras)('a toolset as a server, for clients of the era %s', (era) => {
  it('lists tools in the order of their names, with all four hints', async () => {
    const handler = serve(
      toolsetOf([
        tool('write', { effects: 'write', idempotent: true }),
        tool('ask', { title: 'Ask the web', openWorld: true }),
        tool('by_input', { effects: () => 'read' }),
      ]),
    );
    const { tools } = await (await connect(handler, { era })).listTools();
    expect(tools.map(({ name, title, annotations }) => [name, title, annotations])).toEqual([
      ['ask', 'Ask the web', hints({ readOnlyHint: true, openWorldHint: true })],
      ['by_input', undefined, hints({ destructiveHint: true })],
      ['write', undefined, hints({ idempotentHint: true })],
    ]);
  });

  it('returns structured output as its schema says, and the same as text', async () => {
    const client = await connect(serve(toolsetOf([tool('double', doubled)])), { era });
    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: 'double', arguments: { n: 21 } });
    expect(answer.content).toEqual([{ type: 'text', text: '[42]' }]);
    expect(answer.structuredContent).toEqual(era === 'legacy' ? { result: [42] } : [42]);
    expect(tools[0]?.outputSchema?.['type']).toBe(era === 'legacy' ? 'object' : 'array');
  });

  it('repairs arguments, and explains those that it cannot repair', async () => {
    const client = await connect(serve(toolsetOf([tool('double', doubled)])), { era });
    expect(await client.callTool({ name: 'double', arguments: { n: '21' } })).toMatchObject({
      content: [{ text: '[42]' }],
    });
    const refused = await client.callTool({ name: 'double', arguments: { n: 'many' } });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('n') as string }] });
  });

  it('sends images, recordings, files and links as what they are', async () => {
    const parts = [
      { type: 'image', mediaType: 'image/png', data: 'AA==' },
      { type: 'audio', mediaType: 'audio/wav', data: 'AA==' },
      { type: 'file', mediaType: 'text/plain', name: 'a b.txt', data: btoa('text') },
      { type: 'file', mediaType: 'application/pdf', data: 'AA==' },
      { type: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' },
      { type: 'resource-link', uri: 'notes:1', name: 'note' },
    ] as const;
    const client = await connect(serve(toolsetOf([tool('look', { execute: () => result({ output: 'x', parts }) })])), {
      era,
    });
    const { content } = await client.callTool({ name: 'look' });
    expect(content).toEqual([
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AA==' },
      { type: 'resource', resource: { uri: 'file:///a%20b.txt', mimeType: 'text/plain', text: 'text' } },
      { type: 'resource', resource: { uri: 'file:///file', mimeType: 'application/pdf', blob: 'AA==' } },
      { type: 'resource_link', uri: 'https://example.com/a.png', name: 'image', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'notes:1', name: 'note' },
    ]);
  });

  it('reports a failure as a result, without paths of the host', async () => {
    const failing = tool('fail', {
      execute: () => {
        throw new Error('cannot read /home/somebody/secret.txt');
      },
    });
    const { content, isError } = await (await connect(serve(toolsetOf([failing])), { era })).callTool({ name: 'fail' });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('Tool execution failed');
    expect(JSON.stringify(content)).not.toContain('somebody');
  });

  it('refuses tools that are unknown, of another caller, or without an execute, as if there were none', async () => {
    const all = toolsetOf([tool('mine'), tool('theirs'), { ...tool('client_side'), execute: undefined } as never]);
    const handler = serve(({ principal }) =>
      all.derive({ only: principal?.id === 'me' ? ['mine', 'client_side'] : [] }),
    );
    const client = await connect(handler, { era, caller: { principal: { id: 'me' } } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['mine']);
    for (const name of ['theirs', 'client_side', 'nothing', '__proto__', 'constructor', 'toString'])
      await expect(client.callTool({ name })).rejects.toMatchObject({ code: -32_602 });
  });

  it('tells how far a call is, in rising numbers', async () => {
    const client = await connect(
      serve(
        toolsetOf([
          tool('walk', {
            async *execute() {
              yield { progress: 1, total: 3 };
              yield 'halfway';
              yield { step: 3 };
              await Promise.resolve();
              return 'there';
            },
          }),
        ]),
      ),
      { era },
    );
    const told: unknown[] = [];
    await client.callTool({ name: 'walk' }, { onprogress: (update) => told.push(update) });
    expect(told).toMatchObject([
      { progress: 1, total: 3 },
      { progress: 2, message: 'halfway' },
      { progress: 3, message: '{"step":3}' },
    ]);
  });
});

describe('a call over HTTP', () => {
  it('is cancelled when its client leaves', async () => {
    const { promise: begun, resolve: begin } = deferred<AbortSignal>();
    const handler = serve(
      toolsetOf([
        tool('wait', {
          execute: (_input, _options, { signal }) => {
            begin(signal);
            return new Promise((resolve) => signal.addEventListener('abort', () => resolve('left'), { once: true }));
          },
        }),
      ]),
    );
    const left = new AbortController();
    const client = await connect({
      fetch: (request) =>
        handler.fetch(new Request(request, { signal: AbortSignal.any([request.signal, left.signal]) })),
    });
    const call = client.callTool({ name: 'wait' }).catch((error: unknown) => error);
    const signal = await begun;
    left.abort();
    expect(await call).toBeInstanceOf(Error);
    await expect.poll(() => signal.aborted).toBe(true);
  });

  it('gets arguments of the wrong type as a refusal, and the server goes on', async () => {
    const handler = serve(toolsetOf([tool('echo')]));
    for (const wrong of [[], 'text', 7, null] as const) {
      const { error } = await rawCall(handler, { name: 'echo', arguments: wrong });
      expect(error?.code).toBe(-32_602);
    }
    expect(await rawCall(handler, { name: 'echo' })).toMatchObject({ status: 200 });
  });

  it('leaves the prototypes of the server alone', async () => {
    const seen: unknown[] = [];
    const handler = serve(toolsetOf([tool('keep', { execute: (input) => void seen.push(input) })]));
    const args = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as never;
    await rawCall(handler, { name: 'keep', arguments: args });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(seen).toHaveLength(1);
  });
});

it('[D2-05] checks scope in calls too, answers pings, and reports errors as the protocol says', async () => {
  const fail = tool('fail', { execute: () => Promise.reject(new Error('no')) });
  const all = toolsetOf([fail, tool('hidden')]);
  const handler = serve(() => all.derive({ only: ['fail'] }));
  const send = async (body: string): Promise<unknown> => {
    const text = await (await handler.fetch(post(body, { 'MCP-Protocol-Version': '2025-11-25' }))).text();
    return JSON.parse(text.replace(/^(?:.*\n)*data: /, ''));
  };
  const call = (name: string) =>
    send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }));
  expect(await send('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toMatchObject({ id: 1, result: {} });
  expect(await send('{')).toMatchObject({ error: { code: -32_700 } });
  expect(await send('{"jsonrpc":"2.0","id":1,"method":"no/such"}')).toMatchObject({ error: { code: -32_601 } });
  expect(await call('hidden')).toMatchObject({ error: { code: -32_602 } });
  expect(await call('fail')).toMatchObject({ result: { isError: true } });
});

describe('tools that change', () => {
  it('are announced, and listed again', async () => {
    let toolset = toolsetOf([tool('first')]);
    const listeners = new Set<() => void>();
    const handler = serve(() => toolset, {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    const client = await connect(handler);
    const { promise, resolve } = deferred();
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    const subscription = await client.listen({ toolsListChanged: true });
    toolset = toolsetOf([tool('first'), tool('second')]);
    for (const listener of listeners) listener();
    await promise;
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['first', 'second']);
    await subscription.close();
    await handler.close();
    expect(listeners.size).toBe(0);
  });

  it('are announced only where clients can be told', async () => {
    const never = serve(toolsetOf([]));
    const changing = serve(toolsetOf([]), { subscribe: () => () => undefined });
    const announced = async (handler: typeof never, era: Era) =>
      (await connect(handler, { era })).getServerCapabilities()?.tools?.listChanged ?? false;
    expect(await announced(never, '2026-07-28')).toBe(false);
    expect(await announced(changing, '2026-07-28')).toBe(true);
    expect(await announced(changing, 'legacy')).toBe(false);
  });
});

function hints(some: Record<string, boolean>) {
  return { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false, ...some };
}
