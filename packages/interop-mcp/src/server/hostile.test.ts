import { result } from '@utensil/core';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { connect, deferred, post, rawCall, serve, tool, toolsetOf } from '../test-kit/served.ts';

// Clients that mean harm, or are broken.

const versions = ['2025-11-25', '2026-07-28'];

describe('a server among hostile clients', () => {
  it('answers any JSON with an answer of HTTP, and goes on', async () => {
    const ran: unknown[] = [];
    const handler = serve(toolsetOf([tool('save', { effects: 'write', execute: (input) => void ran.push(input) })]));
    const words = ['2.0', 'tools/call', 'tools/list', 'initialize', 'save', 'subscriptions/listen', 'server/discover'];
    const keys = ['jsonrpc', 'id', 'method', 'params', 'name', 'arguments', '_meta', 'inputResponses', '__proto__'];
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(...words, null, 0, 1, -1, true, ''),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom(...keys), tie('any'), { maxKeys: 6 }),
      ),
    }));
    const whole = fc.record({ jsonrpc: fc.constant('2.0'), id: any, method: fc.constantFrom(...words), params: any });
    await fc.assert(
      fc.asyncProperty(fc.oneof(any, whole), fc.constantFrom(...versions), async (body, version) => {
        const leaving = new AbortController();
        const request = new Request(post(JSON.stringify(body), { 'MCP-Protocol-Version': version }), {
          signal: leaving.signal,
        });
        const { status } = await handler.fetch(request);
        leaving.abort(); // some answers are streams that never end
        expect(status).toBeLessThan(500);
      }),
      { numRuns: inject('isLong') ? 5_000 : 200 },
    );
    expect(ran).toEqual([]);
    expect(await rawCall(handler, { name: 'save' })).toMatchObject({ result: { resultType: 'input_required' } });
    await handler.close();
  });

  it('runs a call once, however its cancellation races with its end', async () => {
    let ran = 0;
    const handler = serve(toolsetOf([tool('quick', { execute: async () => (await Promise.resolve(), ++ran) })]));
    const client = await connect(handler);
    const many = inject('isLong') ? 2_000 : 100;
    await Promise.all(
      Array.from({ length: many }, async (_, index) => {
        const leaving = new AbortController();
        const call = client.callTool({ name: 'quick' }, { signal: leaving.signal }).catch(() => undefined);
        for (let turn = 0; turn < index % 12; turn++) await Promise.resolve();
        leaving.abort();
        await call;
      }),
    );
    const answer = await client.callTool({ name: 'quick' });
    expect(ran).toBeLessThanOrEqual(many + 1);
    expect(answer.isError ?? false).toBe(false);
  });

  it('answers many calls while others hang', async () => {
    const { promise: open, resolve } = deferred();
    let running = 0;
    const handler = serve(
      toolsetOf([tool('echo', { execute: ({ n }: never) => n }), tool('hang', { execute: () => (running++, open) })]),
    );
    const hanging = Array.from({ length: 50 }, () => rawCall(handler, { name: 'hang' }));
    await expect.poll(() => running).toBe(50);
    for (let n = 0; n < (inject('isLong') ? 10_000 : 500); n++) {
      const { result: echoed } = await rawCall(handler, { name: 'echo', arguments: { n } });
      expect(echoed).toMatchObject({ content: [{ text: String(n) }] });
    }
    resolve();
    expect((await Promise.all(hanging)).every(({ status }) => status === 200)).toBe(true);
  });

  it('makes no stack overflow of arguments that are nested deeply', async () => {
    const handler = serve(toolsetOf([tool('echo')]));
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as never;
    const answer = await rawCall(handler, { name: 'echo', arguments: { deep } });
    expect(answer.status).toBeLessThan(500);
    expect(answer.result).toMatchObject({ isError: true });
  });

  it.each([
    ['an image of no base64', { type: 'image', mediaType: 'image/png', data: '!!!' }, 'not base64'],
    ['a file of no base64', { type: 'file', mediaType: 'text/plain', name: 'a', data: '%' }, 'not base64'],
    ['a part of a later version', { type: 'hologram', depth: 3 }, 'hologram'],
  ])('a call that had run was an error of the protocol if its result had %s', async (_, part, said) => {
    const parts = [part] as never;
    const handler = serve(toolsetOf([tool('show', { execute: () => result({ output: null, parts }) })]));
    const answer = await rawCall(handler, { name: 'show' });
    expect(answer).toMatchObject({ result: { content: [{ text: expect.stringContaining(said) as string }] } });
  });

  it('a tool with the name of a member of every object made its server answer nothing', async () => {
    const told: string[] = [];
    const onError = ({ message }: Error): void => void told.push(message);
    const handler = serve(toolsetOf(['constructor', 'echo', 'toString'].map((name) => tool(name))), { onError });
    const client = await connect(handler);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
    for (const name of ['constructor', 'toString'])
      expect(told).toContainEqual(expect.stringContaining(`"${name}" is not served`));
  });

  it('does not run a call whose headers name another tool', async () => {
    const ran: string[] = [];
    const handler = serve(toolsetOf(['one', 'two'].map((name) => tool(name, { execute: () => void ran.push(name) }))));
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'two',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    });
    const { status } = await handler.fetch(post(body, { 'Mcp-Method': 'tools/call', 'Mcp-Name': 'one' }));
    expect(status).toBe(400);
    expect(ran).toEqual([]);
  });
});
