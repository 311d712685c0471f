import type { ModelPart } from '@utensil/core';
import { noUsage } from '@utensil/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsIn, cut, merged, partsOf, requestOf, textIn, textModel, tools } from '../test-kit/text-model.ts';
import { dialects } from '../dialects/dialects.ts';
import { indexTools } from '../read/tool-index.ts';
import { withTextTools } from '../model/with-text-tools.ts';
import { writeInDialect } from '../write/write-calls.ts';

const hermes = (name: string, input: object = {}): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: input })}\n</tool_call>`;

async function collect(
  model: ReturnType<typeof withTextTools>,
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(requestOf(), { signal })) parts.push(part);
  return parts;
}

describe('a streamed turn', () => {
  it('[S2-22] shows parameters while they are written, never its markup, however the chunks fall', async () => {
    const names = Object.values(dialects).map((dialect) => {
      const call = { name: 'write_file', input: { path: 'a', content: 'one\ntwo <b> & "three"\n' } };
      return { dialect, text: `Well.\n${writeInDialect(dialect, [call], indexTools(tools))}`, call };
    });
    for (const { dialect, text, call } of names) {
      for (const size of [1, 2, 3, 5, 8, text.length]) {
        const parts = merged(await partsOf(cut(text, size), { dialect }));
        expect(parts.map(({ type }) => type)).toEqual([
          'text-delta',
          'tool-input-start',
          'tool-input-delta',
          'tool-call',
        ]);
        expect(textIn(parts)).toBe('Well.');
        expect(callsIn(parts)).toEqual([call]);
      }
    }
  });

  it.each(['hermes', 'qwenCoder', 'xml', 'useTool', 'blocks', 'llama'] as const)(
    'streams the content of a file in %s, not only at its end',
    async (name) => {
      const call = { name: 'write_file', input: { path: 'a', content: 'x'.repeat(400) } };
      const text = writeInDialect(dialects[name], [call], indexTools(tools));
      const parts = await partsOf(cut(text, 10), { dialect: name });
      expect(parts.filter(({ type }) => type === 'tool-input-delta').length).toBeGreaterThan(30);
    },
  );

  it('holds back only what may still be markup', async () => {
    const shown = async (text: string): Promise<string> => {
      const model = withTextTools(textModel([text, 'END']));
      for await (const part of model.stream(requestOf(), { signal: new AbortController().signal }))
        if (part.type === 'text-delta') return part.text;
      return '';
    };
    expect(await shown('Hello there, a < b and x <div> or [1] {2} `c`')).toBe(
      'Hello there, a < b and x <div> or [1] {2} `c',
    ); // the backtick may be a fence of more
    expect(await shown('Hello <tool')).toBe('Hello');
    expect(await shown('Hello <tool_box>')).toBe('Hello <tool_box>');
    expect(await shown('Hello <tool_call> there')).toBe('Hello <tool_call> there');
  });

  it('[A2-02] gives the calls that its text has so far, at every prefix and in every chunking', async () => {
    const text = `One.\n${hermes('read_file', { path: 'a' })}\n<tool_call>\n{"name": "search", "arguments": {"query" "b"}}\n</tool_call>\nTwo.`;
    const first = text.indexOf('}}') + 2;
    for (let end = 0; end <= text.length; end++) {
      const calls = callsIn(await partsOf([text.slice(0, end)], { dialect: 'hermes' }));
      expect(callsIn(await partsOf(cut(text.slice(0, end), 3), { dialect: 'hermes' }))).toEqual(calls);
      const isWhole = end >= first;
      expect(calls.slice(0, isWhole ? 1 : 0)).toEqual(isWhole ? [{ name: 'read_file', input: { path: 'a' } }] : []);
    }
  });

  it('[D2-01] keeps the calls before one that is broken', async () => {
    const xml = '<tool:clock>\n</tool:clock>\n<tool:search>\n<param:query>x</param:path>\n</tool:search>';
    const calls = callsIn(await partsOf(cut(xml, 4), { dialect: 'xml' }));
    expect(calls.map(({ name, invalidInput }) => [name, invalidInput === undefined])).toEqual([
      ['clock', true],
      ['search', false],
    ]);
  });

  it('never makes a call of an answer that was truncated in the middle of one', async () => {
    for (const dialect of Object.values(dialects)) {
      const call = { name: 'write_file', input: { path: 'a', content: 'long\ncontent' } };
      const whole = writeInDialect(dialect, [call], indexTools(tools));
      for (let end = 1; end < whole.indexOf('content', whole.indexOf('long')) + 3; end++) {
        const calls = callsIn(await partsOf([whole.slice(0, end)], { dialect, reason: 'length' }));
        expect(calls.filter(({ invalidInput }) => invalidInput === undefined)).toEqual([]);
      }
    }
  });

  it('[S4-06] never shows the markup of a call, complete or truncated at any character, in a fence for tools or not', async () => {
    const call = { name: 'write_file', input: { path: 'a', content: 'b' } };
    for (const dialect of Object.values(dialects)) {
      const written = writeInDialect(dialect, [call], indexTools(tools));
      const label = dialect.fences.at(-1);
      const fenced = label === undefined ? [] : [`Well.\n\n\`\`\`${label}\n${written}\n\`\`\``];
      for (const text of [`Well.\n\n${written}`, ...fenced]) {
        const parts = await partsOf(cut(text, 3), { dialect });
        expect([textIn(parts), callsIn(parts)]).toEqual(['Well.', [call]]);
        expect(merged(parts).map(({ type }) => type)).toContain('tool-input-start');
      }
      for (let end = 1; end <= written.length; end++) {
        const parts = await partsOf([`Well.\n\n${written.slice(0, end)}`], { dialect, reason: 'length' });
        expect(textIn(parts).trimEnd()).toBe('Well.');
      }
    }
  });

  it('passes thoughts on as reasoning, and finds no call in them', async () => {
    const text = `\n<think>\nI could write ${hermes('clock')}.\n</think>\n\nDone.`;
    for (const size of [1, 7, text.length]) {
      const parts = merged(await partsOf(cut(text, size)));
      expect(parts).toEqual([
        { type: 'reasoning-delta', text: `\nI could write ${hermes('clock')}.\n` },
        { type: 'text-delta', text: 'Done.' },
      ]);
    }
    expect(callsIn(await partsOf([text], { options: { think: false } }))).toHaveLength(1);
  });

  it('passes reasoning, sources and files on as they come', async () => {
    const given: ModelPart[] = [
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'source', url: 'https://example.org' },
      { type: 'file', mediaType: 'image/png', data: 'AA==' },
    ];
    const model = {
      info: { api: 'x', id: 'x' },
      async *stream(): AsyncGenerator<ModelPart> {
        yield* given;
        yield { type: 'text-delta', text: 'ok' };
        yield { type: 'finish', reason: 'stop', usage: noUsage, state: { secret: 1 } };
      },
    };
    const parts = await collect(withTextTools(model));
    expect(parts.slice(0, 3)).toEqual(given);
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop', usage: noUsage });
  });

  it('is only text if there are no tools, and were none', async () => {
    const parts = await partsOf([hermes('clock')], { request: { tools: [] } });
    expect(textIn(parts)).toBe(hermes('clock'));
    expect(callsIn(parts)).toEqual([]);
  });

  it('ends with the reason of the model, or with that of its calls', async () => {
    const reasonOf = async (text: string, reason: 'stop' | 'length'): Promise<unknown> =>
      (await partsOf([text], { reason })).find((part) => part.type === 'finish')?.reason;
    expect(await reasonOf('Hi', 'stop')).toBe('stop');
    expect(await reasonOf(hermes('clock'), 'stop')).toBe('tool-calls');
    expect(await reasonOf(hermes('clock'), 'length')).toBe('length');
  });

  it('[S2-20] gives its calls ids that are unique in the conversation, and the same each time', async () => {
    const ids = async (count: number): Promise<string[]> => {
      const messages = Array.from({ length: count }, (_, index) => ({
        id: String(index),
        role: 'assistant' as const,
        createdAt: 0,
        parts: [{ type: 'text' as const, text: 'x' }],
      }));
      const parts = await partsOf([`${hermes('clock')}\n${hermes('clock')}`], { request: { messages } });
      return parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
    };
    expect(await ids(0)).toEqual(['tool-1-1', 'tool-1-2']);
    expect(await ids(2)).toEqual(['tool-3-1', 'tool-3-2']);
    expect(await ids(2)).toEqual(await ids(2));
    const taken = {
      type: 'tool-call' as const,
      callId: 'tool-2-1',
      name: 'clock',
      input: {},
      executedBy: 'us' as const,
    };
    const messages = [{ id: '0', role: 'assistant' as const, createdAt: 0, parts: [taken] }];
    const parts = await partsOf([hermes('clock')], { request: { messages } });
    expect(parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))).toEqual(['tool-3-1']);
  });

  it('ends a call that gets too long, and the turn with it', async () => {
    for (const size of [16, 10_000]) {
      const text = hermes('write_file', { path: 'a', content: 'x'.repeat(5_000) });
      const [call, ...others] = callsIn(
        await partsOf(cut(`${text}\n${hermes('clock')}`, size), { options: { longestCall: 1_000 } }),
      );
      expect(call?.invalidInput).toContain('the call is longer than 1000 characters');
      expect(call?.input).toEqual({});
      expect(others).toEqual([]);
    }
  });

  it('reads hostile text of any kind without throwing and without losing prose', async () => {
    const shards = fc.constantFrom(
      '<',
      '<tool_call>',
      '{',
      '[',
      '"',
      '`',
      '```',
      '\n',
      '>',
      '^^^clock',
      '<tool:clock>',
      '[TOOL_CALLS]',
      ' ',
      '(',
      '[clock(',
      '{"tool":',
      '<clock>',
      '<|',
      'x',
    );
    const text = fc.array(shards, { maxLength: 30 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(text, async (written) => {
        const parts = merged(await partsOf([written]));
        expect(merged(await partsOf(cut(written, 1)))).toEqual(parts);
        const isProse = callsIn(parts).length === 0;
        expect(isProse ? textIn(parts) : '').toBe(isProse ? written : '');
      }),
      { numRuns: 300 },
    );
  });

  it('ends, however often an unfinished call begins', async () => {
    for (const piece of [
      '{"args": ',
      '[',
      '<',
      '`',
      '<tool_call>',
      '{"',
      '```\n',
      '^^^',
      '[clock(',
      '<tool:clock>\n',
      ' ',
      '\\',
    ]) {
      const text = piece.repeat(30_000 / piece.length);
      const parts = await partsOf(cut(text, 1_000));
      expect(textIn(parts).length + callsIn(parts).length).toBeGreaterThan(0);
    }
  });
});

describe('what is held back', () => {
  it.each([' ', '\n', '`', '~'])('is bounded for %j, and nothing of it is lost', async (piece) => {
    const text = `${piece.repeat(1_000)}x${piece.repeat(1_000)}`;
    const inner = textModel(cut(text, 5));
    let shown = 0;
    let held = 0;
    for await (const part of withTextTools(inner).stream(requestOf(), { signal: new AbortController().signal })) {
      if (part.type === 'text-delta') shown += part.text.length;
      held = Math.max(held, Math.min(inner.read * 5, text.length) - shown);
    }
    expect(shown).toBe(text.length);
    expect(held).toBeLessThan(300);
    expect(textIn(await partsOf([text]))).toBe(text);
  });
});

describe('a turn that may go no further', () => {
  const reads = (name: string): boolean => name !== 'write_file';
  const write = hermes('write_file', { path: 'a', content: 'b' });
  const read = hermes('read_file', { path: 'a' });

  it.each([
    ['two reads and a write', [read, read, write], ['read_file', 'read_file']],
    ['a write and a read', [write, read], ['write_file']],
    ['two writes', [write, write], ['write_file']],
    ['reads alone', [read, read, read], ['read_file', 'read_file', 'read_file']],
  ])('[S2-21] [A2-05] has of %s what may follow, and is stopped right there', async (_, calls, expected) => {
    const text = `${calls.join('\n')}\nAnd this is what came of it.`;
    const chunks = cut(text, 4);
    const inner = textModel(chunks);
    const parts = await collect(withTextTools(inner, 'hermes', { reads }));
    expect(callsIn(parts).map(({ name }) => name)).toEqual(expected);
    const isStopped = calls.includes(write);
    expect(inner.wasAborted).toBe(isStopped);
    expect(inner.read < chunks.length).toBe(isStopped);
    expect(textIn(parts).trim()).toBe(isStopped ? '' : 'And this is what came of it.');
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  it('has one call where the request says so, or the dialect', async () => {
    const single = await partsOf([`${read}\n${read}`], { request: { parallel: false } });
    expect(callsIn(single)).toHaveLength(1);
    const blocks = '<clock>\n</clock>\n<clock>\n</clock>\nDone.';
    expect(callsIn(await partsOf(cut(blocks, 2), { dialect: 'blocks' }))).toHaveLength(1);
  });

  it('drops text behind the calls where the dialect says so', async () => {
    const text = '{"tool": "clock", "args": {}}\nIt is noon.\n{"tool": "clock", "args": {}}';
    const parts = await partsOf(cut(text, 3), { dialect: 'json' });
    expect(callsIn(parts)).toHaveLength(2);
    expect(textIn(parts)).toBe('');
  });

  it('ends if the model begins to write results itself', async () => {
    for (const result of ['<tool_response>\nnoon', '<tool_result name="clock">\nnoon', 'Tool result (clock): "noon"']) {
      const parts = await partsOf(cut(`${read}\n${result}\n${write}`, 3));
      expect(callsIn(parts).map(({ name }) => name)).toEqual(['read_file']);
      expect(textIn(parts)).toBe('');
    }
  });

  it('keeps the usage of a model that still tells it', async () => {
    const model = {
      info: { api: 'x', id: 'x' },
      async *stream(): AsyncGenerator<ModelPart> {
        yield { type: 'text-delta', text: `${write}\n` };
        yield { type: 'text-delta', text: 'More.' };
        yield { type: 'finish', reason: 'stop', usage: { ...noUsage, outputTokens: 7 } };
      },
    };
    const parts = await collect(withTextTools(model, 'hermes', { reads }));
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls', usage: { ...noUsage, outputTokens: 7 } });
  });

  it('passes an abort on, and the error of the model', async () => {
    const controller = new AbortController();
    const inner = textModel(['Hello ', 'there ', 'again']);
    const model = withTextTools(inner);
    const stream = model.stream(requestOf(), { signal: controller.signal })[Symbol.asyncIterator]();
    await stream.next();
    controller.abort(new Error('enough'));
    await expect(async () => {
      while ((await stream.next()).done !== true);
    }).rejects.toThrow('aborted');
    expect(inner.wasAborted).toBe(true);
  });

  it('is left with its model, when nobody reads on', async () => {
    let isLeft = false;
    const model = {
      info: { api: 'x', id: 'x' },
      async *stream(): AsyncGenerator<ModelPart> {
        try {
          for (;;) yield { type: 'text-delta', text: 'more ' };
        } finally {
          isLeft = true;
        }
      },
    };
    for await (const _ of withTextTools(model).stream(requestOf(), { signal: new AbortController().signal })) break;
    expect(isLeft).toBe(true);
  });
});
