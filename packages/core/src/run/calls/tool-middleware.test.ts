import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import type { CallContext } from '../../call/call-context.ts';
import { isObject } from '../../base/json.ts';
import { textOf } from '../../model/message.ts';
import { createRecords } from '../../records/records.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { eventsOf, gate, memoryThread, play, resultsOf, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import { openThread } from '../../thread/open-thread.ts';
import { result } from '../../tool/result.ts';
import type { Tool } from '../../tool/tool.ts';
import { guard } from '../guard/guard.ts';
import { permissions } from '../permission/policy.ts';
import type { RunOptions } from '../run.ts';
import { withToolMiddleware } from './tool-middleware.ts';
import type { ToolMiddleware } from './tool-middleware.ts';

const hook = (aroundTool: ToolMiddleware['aroundTool'], name = 'hook'): ToolMiddleware => ({ name, aroundTool });

/** A run that calls `work`, or another tool, once. */
function playBehind(
  middleware: readonly ToolMiddleware[],
  tools: readonly Tool[],
  more: Partial<RunOptions> & { readonly calls?: readonly { name: string; callId?: string; input?: object }[] } = {},
) {
  const { calls = [{ name: 'work', callId: 'c' }], ...options } = more;
  const toolset = withToolMiddleware(toolsetOf(tools), ...middleware);
  return play([{ calls: calls as never }, { text: 'Done.' }], [], { toolset, ...options });
}

const shown = async ({ result: ended }: ReturnType<typeof play>) => {
  const { status, messages } = await ended;
  expect(status).toBe('complete');
  return resultsOf(messages).map(({ code, modelParts }) => [code, textOf(modelParts)] as const);
};

describe('a middleware around tools', () => {
  it('sees the call and its result, the first one first, and only calls that run', async () => {
    const seen: unknown[] = [];
    const noting = (name: string): ToolMiddleware =>
      hook(async ({ callId, name: called, input, effects }, next) => {
        seen.push([name, callId, called, input, effects]);
        const given = await next();
        seen.push([name, given.output]);
        return given;
      }, name);
    const calls = [{ name: 'work', callId: 'c', input: { n: 1 } }, { name: 'none' }];
    const played = playBehind([noting('outer'), noting('inner')], [tool('work')], { calls });
    expect(await shown(played)).toEqual([
      [undefined, 'work'],
      ['unknown_tool', 'Unknown tool: none'],
    ]);
    expect(seen).toEqual([
      ['outer', 'c', 'work', { n: 1 }, 'read'],
      ['inner', 'c', 'work', { n: 1 }, 'read'],
      ['inner', 'work'],
      ['outer', 'work'],
    ]);
  });

  it('stands behind the permission, and behind the entry that the call has begun', async () => {
    const seen: unknown[] = [];
    const thread = memoryThread();
    const marks = hook((_call, next) => {
      seen.push(thread.marks.map(({ type }) => type));
      return next();
    });
    const calls = [{ name: 'work' }, { name: 'denied' }];
    const tools = ['work', 'denied'].map((name) => tool(name, { effects: 'write' }));
    const policy: RunOptions['policy'] = ({ name }) => (name === 'work' ? 'allow' : 'deny');
    await playBehind([marks], tools, { calls, policy, thread }).result;
    expect(seen).toEqual([['run-begun', 'call-begun']]);
  });

  it('gives its own result, which is checked, rendered and bounded as that of the tool', async () => {
    let ran = 0;
    const work = tool('work', {
      output: jsonSchema({ type: 'object', required: ['n'] }),
      outputLimit: 100,
      render: { model: (output) => `n is ${(output as { n: string }).n}` },
      execute: () => ({ n: ++ran }),
    });
    const cached = hook(() => result({ output: { n: 'kept' } }));
    expect(await shown(playBehind([cached], [work]))).toEqual([[undefined, 'n is kept']]);
    const [[, long]] = (await shown(
      playBehind([hook(() => result({ output: { n: 'x'.repeat(10_000) } }))], [work]),
    )) as [[undefined, string]];
    expect(long.length).toBeLessThan(1_000);
    const [[code]] = (await shown(playBehind([hook(() => result({ output: {} }))], [work]))) as [[string, string]];
    expect(code).toBe('invalid_output');
    expect(ran).toBe(0);
  });

  it('redacts what is stored, and the tool ran once', async () => {
    const thread = openThread(createRecords(memoryStorage()), 't');
    let ran = 0;
    const work = tool('work', { effects: 'write', execute: () => ({ token: 'abc', ran: ++ran }) });
    const redacting = hook(async (_call, next) => {
      const { output, isError } = await next();
      return result({ output: isObject(output) ? { ...output, token: '[redacted]' } : output, isError });
    });
    await playBehind([redacting], [work], { thread }).result;
    const { entries } = await thread.read();
    expect(JSON.stringify(entries)).not.toContain('abc');
    const parts = entries.flatMap(({ entry }) => (entry.type === 'message' ? resultsOf([entry.message]) : []));
    expect(parts.map(({ output }) => output)).toEqual([{ token: '[redacted]', ran: 1 }]);
  });

  it('cannot change the input that was permitted', async () => {
    const inputs: unknown[] = [];
    const work = tool('work', { execute: (input) => void inputs.push(input) });
    const changing = hook((call, next) => {
      Object.assign(call.input, { n: 2 });
      return (next as (input: unknown) => ReturnType<typeof next>)({ n: 2 });
    });
    const played = playBehind([changing], [work], { calls: [{ name: 'work', input: { n: 1 } }] });
    await shown(played);
    expect(inputs).toEqual([{ n: 1 }]);
  });

  it('cannot run the tool twice, nor after the call is over', async () => {
    let ran = 0;
    let kept: (() => Promise<unknown>) | undefined;
    const work = tool('work', { execute: () => ++ran });
    const twice = hook(async (_call, next) => (await next(), next()));
    expect(await shown(playBehind([twice], [work]))).toEqual([
      [
        'tool_failed',
        'Tool execution failed: Hook error in "hook", after the tool had begun: The middleware "hook" called `next()` twice: a call runs its tool ("work") once.',
      ],
    ]);
    await shown(playBehind([hook((_call, next) => ((kept = next), result({ output: 1 })))], [work]));
    await expect(kept?.()).rejects.toMatchObject({ code: 'tool_cancelled' });
    expect(ran).toBe(1);
  });

  it.each([
    [
      'throws',
      () => Promise.reject(new Error('no key at /home/ann/x')),
      /^Tool execution failed: Hook error in "hook": /,
    ],
    ['gives nothing', () => undefined, /neither what `next` gave nor/],
    ['gives a plain value', () => 7, /neither what `next` gave nor/],
  ])('one that %s fails the call, and not the run', async (_title, aroundTool, text) => {
    const [[code, said]] = (await shown(playBehind([hook(aroundTool as never)], [tool('work')]))) as [[string, string]];
    expect(code).toBe('tool_failed');
    expect(said).toMatch(text);
    expect(said).not.toContain('/home/ann');
  });

  it('that returns while the tool still runs ends the call of the tool', async () => {
    let signal: AbortSignal | undefined;
    const work = tool('work', { execute: (_input, _options, context) => ((signal = context.signal), gate()) });
    const impatient = hook((_call, next) => (void next(), result({ output: 'enough' })));
    expect(await shown(playBehind([impatient], [work]))).toEqual([[undefined, 'enough']]);
    expect(signal?.aborted).toBe(true);
  });
});

describe('cancellation and time limits hold through it', () => {
  const deaf = hook(() => gate() as never);

  it.each([
    ['a middleware that hangs', [deaf], tool('work', { timeoutMs: 0 })],
    ['a tool that hangs', [hook((_call, next) => next())], tool('work', { timeoutMs: 0, execute: () => gate() })],
    ['a middleware behind another', [hook((_call, next) => next(), 'first'), deaf], tool('work', { timeoutMs: 0 })],
  ])('cancels %s', async (_title, middleware, work) => {
    const played = playBehind(middleware, [work]);
    await until(played, 'tool-start');
    await Promise.resolve();
    expect(played.cancel('c', 'Too slow.')).toBe(true);
    expect((await shown(played)).map(([code]) => code)).toEqual(['tool_cancelled']);
  });

  it.each([
    ['a middleware', [deaf], tool('work', { timeoutMs: 20 })],
    ['a tool', [hook((_call, next) => next())], tool('work', { timeoutMs: 20, execute: () => gate() })],
  ])('ends the time of %s', async (_title, middleware, work) => {
    expect(await shown(playBehind(middleware, [work]))).toEqual([
      ['tool_timeout', 'Tool execution timed out after 20ms'],
    ]);
  });

  it('tells once of a tool that ends after its time', async () => {
    const end = gate();
    const work = tool('work', { timeoutMs: 20, execute: () => end });
    const released = hook(async (_call, next) => next());
    const toolset = withToolMiddleware(toolsetOf([work]), released);
    const late: string[] = [];
    const context: CallContext = {
      projectId: 'p',
      runId: 'r',
      callId: 'c',
      signal: new AbortController().signal,
      late: () => void late.push('late'),
    };
    expect(await toolset.execute({ name: 'work', input: {} }, context)).toMatchObject({ code: 'tool_timeout' });
    end.open();
    await end;
    await Promise.resolve();
    expect(late).toEqual(['late']);
  });

  it('aborts with the run', async () => {
    const played = playBehind([deaf], [tool('work', { timeoutMs: 0 })]);
    await until(played, 'tool-start');
    played.abort();
    expect((await played.result).status).toBe('aborted');
  });
});

describe('passes through it', () => {
  const names: string[] = [];
  const noting = hook(({ name }, next) => (names.push(name), next()));

  it('what a tool calls, and what a run inside calls', async () => {
    names.length = 0;
    const outer = tool('outer', {
      async execute(_input, _options, context) {
        await context.call('work', {});
        const model = scriptedModel([{ calls: [{ name: 'work' }] }, { text: 'x' }]);
        return (await (await context.run({ messages: 'x', model, tools: ['work'] })).result).status;
      },
    });
    const played = playBehind([noting], [outer, tool('work')], { calls: [{ name: 'outer' }] });
    expect(await shown(played)).toEqual([[undefined, 'complete']]);
    expect(names).toEqual(['outer', 'work', 'work']);
  });

  it('a guarded call in a loop of its own, once it is allowed', async () => {
    names.length = 0;
    const work = tool('work', { effects: 'write' });
    const toolset = guard(withToolMiddleware(toolsetOf([work, tool('look')]), noting), {
      policy: permissions('write'),
    });
    const context = { projectId: 'p', runId: 'r', signal: new AbortController().signal };
    await toolset.execute({ name: 'look', input: {} }, { ...context, callId: '1' });
    await toolset.execute({ name: 'work', input: {} }, { ...context, callId: '2' });
    expect(names).toEqual(['look']);
    expect(() => withToolMiddleware(toolset, noting)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  });

  it('each toolset that a source gives', async () => {
    names.length = 0;
    let present = toolsetOf([tool('work')]);
    const toolset = withToolMiddleware(() => present, noting);
    const first = toolset.definitions({ api: 'text' });
    expect(toolset.definitions({ api: 'text' })).toBe(first);
    present = toolsetOf([tool('other')]);
    expect(toolset.definitions({ api: 'text' }).map((each) => each.name)).toEqual(['other']);
    const played = play([{ calls: [{ name: 'other' }] }, { text: 'Done.' }], [], { toolset });
    await eventsOf(played);
    expect(names).toEqual(['other']);
  });
});
