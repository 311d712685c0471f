import { emptySettings, resolveToolset, createRegistry, run, textOf } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deferred } from '../test-kit/served.ts';
import { mcpSource } from './index.ts';
import type { McpSourceOptions, McpTransport } from './index.ts';

// Virtual time: a server in this process, and timers that the test moves on.

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly _meta?: { readonly progressToken?: number } };
}

/** A server whose call ends when the test says so. */
function slowServer() {
  const cancelled: unknown[] = [];
  let calling: Message | undefined;
  let transport: McpTransport;
  const { promise: called, resolve: begin } = deferred();
  const say = (message: object): void => transport.onmessage?.({ jsonrpc: '2.0', ...message } as never);
  const answers: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'slow', version: '1' },
    },
    'tools/list': { tools: [{ name: 'work', inputSchema: { type: 'object' } }] },
  };
  transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(transport.onclose?.()),
    async send(message) {
      const { id, method = '' } = message as Message;
      if (method === 'tools/call') {
        calling = message;
        begin();
      }
      if (method === 'notifications/cancelled') cancelled.push(method);
      if (id !== undefined && answers[method] !== undefined) queueMicrotask(() => say({ id, result: answers[method] }));
    },
  };
  return {
    cancelled,
    server: { transport: () => transport },
    called,
    progress(progress: number) {
      const { _meta } = calling?.params ?? {};
      say({ method: 'notifications/progress', params: { progressToken: _meta?.progressToken, progress } });
    },
    end: () => say({ id: calling?.id, result: { content: [{ type: 'text', text: 'done' }] } }),
  };
}

/** A run that calls the tool, with far less time for its own tools. */
async function calling(options: McpSourceOptions) {
  const { server, ...slow } = slowServer();
  const registry = createRegistry();
  await registry.mount(mcpSource(server, options), { namespace: 'x' }).ready;
  const { result } = run({
    model: scriptedModel([{ calls: [{ name: 'x_work' }] }, {}]),
    toolset: resolveToolset(registry, emptySettings, {}),
    messages: 'Work.',
    limits: { toolTimeMs: 500 },
  });
  await slow.called;
  const said = result.then(({ messages }) =>
    messages.flatMap(({ role, parts }) =>
      role === 'tool' ? parts.flatMap((part) => (part.type === 'tool-result' ? [textOf(part.modelParts)] : [])) : [],
    ),
  );
  return { ...slow, said };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a call that makes progress goes on for longer than a run gives its tools, and than one without progress has', async () => {
  const { progress, end, said } = await calling({ callTimeMs: 1_000 });
  for (const step of [1, 2, 3, 4]) {
    await vi.advanceTimersByTimeAsync(900);
    progress(step);
  }
  await vi.advanceTimersByTimeAsync(900);
  end();
  expect(await said).toEqual(['done']);
});

it('a call that makes none ends when its own time is over, and is cancelled at the server', async () => {
  const { cancelled, said } = await calling({ callTimeMs: 1_000 });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await said).toEqual([expect.stringContaining('did not end the call in its time')]);
  expect(cancelled).toHaveLength(1);
});

it('a call that makes progress for ever ends when its most is over', async () => {
  const { progress, cancelled, said } = await calling({ callTimeMs: 1_000, maxCallTimeMs: 3_000 });
  for (const step of [1, 2, 3, 4]) {
    await vi.advanceTimersByTimeAsync(900);
    progress(step);
  }
  expect(await said).toEqual([expect.stringContaining('did not end the call in its time')]);
  expect(cancelled).toHaveLength(1);
});
