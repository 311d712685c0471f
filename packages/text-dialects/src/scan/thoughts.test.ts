import { noUsage } from '@utensil/core';
import type { ModelPart } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../dialects/dialect.ts';
import { dialects } from '../dialects/dialects.ts';
import { callsIn, merged, partsAtEachCut, partsOf, requestOf, textIn } from '../test-kit/text-model.ts';
import { withTextTools } from '../model/with-text-tools.ts';

const call = '<tool_call>\n{"name": "clock", "arguments": {}}\n</tool_call>';
const read = { name: 'read_file', input: { path: 'a' } };
const clock = { name: 'clock', input: {} };
const opened = { open: '<think>', close: '</think>', isOpened: true };

function thoughtIn(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'reasoning-delta' ? part.text : '')).join('');
}

function summary(parts: readonly ModelPart[]): readonly unknown[] {
  return [thoughtIn(parts), textIn(parts), callsIn(parts)];
}

describe('thoughts whose opening tag the chat template writes', () => {
  it('are reasoning from the first character, and no call in them is run', async () => {
    for (const text of [`I could ${call} now.\n</think>\n\nDone.`, `<think>I could ${call} now.\n</think>\n\nDone.`])
      expect(summary(await partsAtEachCut(text, { options: { think: opened } }))).toEqual([
        `I could ${call} now.\n`,
        'Done.',
        [],
      ]);
  });

  it('are known by the id of the model', async () => {
    const parts = await partsAtEachCut(`Hm, ${call}?</think>${call}`, { id: 'Qwen/Qwen3.5-9B' });
    expect(summary(parts)).toEqual([`Hm, ${call}?`, '', [clock]]);
  });

  it('are the answer if they are never closed: text and calls count', async () => {
    expect(summary(await partsAtEachCut(`Let me see.\n${call}`, { options: { think: opened } }))).toEqual([
      `Let me see.\n${call}`,
      'Let me see.',
      [clock],
    ]);
  });

  it('may be closed by the tag of another family: no call in them is run', async () => {
    const text = `I could:\n${call}\n[1] Well.\n</seed:think>\nDone.`;
    const parts = await partsAtEachCut(text, { options: { think: opened }, dialect: 'auto' });
    expect([callsIn(parts), textIn(parts)]).toEqual([[], 'I could:\nDone.']);
  });

  it('are truncated by the output limit, and then no answer', async () => {
    const asked = { options: { think: opened }, reason: 'length' } as const;
    expect(summary(await partsAtEachCut(`Let me see.\n${call}`, asked))).toEqual([`Let me see.\n${call}`, '', []]);
  });

  it('are not expected if the server separates reasoning, or none was asked for', async () => {
    const model = {
      info: { api: 'x', id: 'x' },
      async *stream(): AsyncGenerator<ModelPart> {
        yield { type: 'reasoning-delta', text: 'hm' };
        yield { type: 'text-delta', text: `Now.\n${call}` };
        yield { type: 'finish', reason: 'stop', usage: noUsage };
      },
    };
    const parts: ModelPart[] = [];
    const stream = withTextTools(model, 'hermes', { think: opened }).stream(requestOf(), {
      signal: new AbortController().signal,
    });
    for await (const part of stream) parts.push(part);
    expect(summary(parts)).toEqual(['hm', 'Now.', [clock]]);
    const asked = { options: { think: opened }, request: { reasoning: 'none' } } as const;
    expect(summary(await partsAtEachCut(`Now.\n${call}`, asked))).toEqual(['', 'Now.', [clock]]);
  });
});

describe('a closing tag without an opening one', () => {
  it('shows that all before it was a thought: its calls are not run, and it is not shown', async () => {
    for (const text of [
      `I could do this:\n${call}\nOr not.\n</think>\n\nDone.`,
      `I could do this:\n${call}</think>\n\nDone.`,
    ]) {
      const parts = await partsAtEachCut(text);
      expect(callsIn(parts)).toEqual([]);
      expect(textIn(parts)).toMatch(/^I could do this:\s*Done\.$/);
    }
  });

  it('leaves the calls behind it', async () => {
    const parts = await partsAtEachCut(`I could ${call}, I think.\n</think>\n\n${call}`, { dialect: 'hermes' });
    expect(callsIn(parts)).toEqual([clock]);
    expect(textIn(parts)).toBe('I could');
  });

  it('is text in code, in quotes, in the middle of a line and behind a mention of its opening tag', async () => {
    for (const text of [
      `It ends with \`</think>\`.`,
      '```\n</think>\n```',
      '> </think>',
      'Between <think> and </think>\nthere is a thought.',
      'The tag </think> closes it.',
    ])
      expect(summary(await partsAtEachCut(text))).toEqual(['', text, []]);
  });
});

describe('a thought that is never closed', () => {
  it('was the answer if it ends with a call', async () => {
    const text = `<think>\nI need the time.\n${call}`;
    expect(summary(await partsAtEachCut(text))).toEqual([`\nI need the time.\n${call}`, '', [clock]]);
  });

  it('contains no call if text follows it, or if the output limit ended the turn', async () => {
    const considered = `<think>\nI could ${call}, or not.`;
    expect(summary(await partsAtEachCut(considered))).toEqual([`\nI could ${call}, or not.`, '', []]);
    const cutOff = `<think>\nI could\n${call}`;
    expect(callsIn(await partsAtEachCut(cutOff, { reason: 'length' }))).toEqual([]);
  });
});

describe('the thoughts of other families', () => {
  it.each([
    ['<seed:think>', '</seed:think>'],
    ['[THINK]', '[/THINK]'],
    ['<longcat_think>', '</longcat_think>'],
    ['<|inner_prefix|>', '<|inner_suffix|>'],
    ['<|START_THINKING|>', '<|END_THINKING|>'],
    ['<|channel>thought', '<channel|>'],
    ['<thinking>', '</thinking>'],
  ])('are no answer: %s', async (open, close) => {
    for (const dialect of ['auto', 'hermes'] as const) {
      const parts = await partsAtEachCut(`${open}\nSo ${call}.\n${close}\nDone.`, { dialect });
      expect(summary(parts)).toEqual([`\nSo ${call}.\n`, 'Done.', []]);
    }
  });
});

describe('a thought in the middle of a turn', () => {
  it('is one if its tag stands alone on the line', async () => {
    const parts = await partsAtEachCut(`First.\n<think>\nSo ${call}.\n</think>\nDone.`);
    expect(summary(parts)).toEqual([`\nSo ${call}.\n`, 'First.\nDone.', []]);
  });

  it('is one between calls', async () => {
    const parts = await partsAtEachCut(`${call}\n<think>\nAnd ${call}?\n</think>\n${call}`, { dialect: 'hermes' });
    expect(callsIn(parts)).toEqual([clock, clock]);
    expect(thoughtIn(parts)).toBe(`\nAnd ${call}?\n`);
  });
});

describe('the tokens of a family', () => {
  const family: Dialect = {
    ...dialects.hermes,
    name: 'family',
    also: [{ kind: 'json', open: '<|call|>', close: '<|/call|>', name: ['name'], input: ['arguments'] }],
    thoughts: { open: '<|inner|>', close: '<|/inner|>' },
    hidden: ['<|calls|>', '<|/calls|>', '<|answer|>'],
    ends: ['<|stop|>'],
  };

  it('are frames that are not shown, and ends behind which nothing is read', async () => {
    const other = '<|call|>{"name": "read_file", "arguments": {"path": "a"}}<|/call|>';
    const text = `<|inner|>So ${other}.<|/inner|><|answer|>Now.\n<|calls|>${other}\n${call}<|/calls|><|stop|>${call}`;
    const parts = await partsAtEachCut(text, { dialect: family });
    expect(summary(parts)).toEqual([`So ${other}.`, 'Now.', [read, clock]]);
  });

  it('are text in code, and an end in the middle of a line is text', async () => {
    for (const text of ['A frame is `<|calls|>`.', 'The token <|stop|> ends it.'])
      expect(textIn(await partsAtEachCut(text, { dialect: family }))).toBe(text);
  });

  it('count for the dialect that the model was asked for; those of others only before more markup', async () => {
    const list = [dialects.hermes, { ...family, name: 'other' }];
    expect(textIn(await partsAtEachCut('A <|calls|> frame.', { dialect: list }))).toBe('A <|calls|> frame.');
    const parts = await partsAtEachCut(`<|calls|>${call}<|/calls|>`, { dialect: list });
    expect(callsIn(parts)).toEqual([clock]);
  });
});

describe('an empty delimiter', () => {
  const base = dialects.hermes;

  it.each<[string, Dialect]>([
    ['thoughts.open', { ...base, thoughts: { open: '', close: '</think>' } }],
    ['thoughts.close', { ...base, thoughts: { open: '<think>', close: '' } }],
    ['hidden[1]', { ...base, hidden: ['<a>', ''] }],
    ['ends[0]', { ...base, ends: [''] }],
    ['grammar.between', { ...base, grammar: { ...base.grammar, between: '' } }],
    ['grammar.call[0]', { ...base, grammar: { ...dialects.xml.grammar, call: ['{name}', '</x>'] } }],
    ['grammar.parameter[1]', { ...base, grammar: { ...dialects.xml.grammar, parameter: ['<p>', ''] } }],
    ['grammar.frame[1]', { ...base, also: [{ ...dialects.qwenCoder.grammar, frame: ['<f>', ''] }] }],
    ['grammar.fence', { ...base, grammar: { kind: 'lines', fence: '', rule: '--' } }],
    ['grammar.open[1]', { ...base, grammar: { kind: 'named', open: ['<f>', '{name}'], close: [] } }],
    ['grammar.open', { ...base, grammar: { kind: 'keyed', open: '', close: '</f>' } }],
    ['grammar.open', { ...base, grammar: { kind: 'keyed', open: '{name}<f>', close: '</f>' } }],
    ['grammar.quote', { ...base, grammar: { ...dialects.gemma.grammar, quote: '\n"' } }],
    ['grammar.quote', { ...base, grammar: { ...dialects.gemma.grammar, quote: '' } }],
    ['grammar.rule', { ...base, grammar: { kind: 'lines', fence: '^^', rule: '' } }],
  ])('is refused, and named: %s', (field, dialect) => {
    const model = { info: { api: 'x', id: 'x' }, stream: () => partsStream() };
    expect(() => withTextTools(model, { ...dialect, name: 'mine' })).toThrow(
      `The dialect "mine" has an empty delimiter: ${field}.`,
    );
  });

  it('is refused as an option, with what to write instead', () => {
    const model = { info: { api: 'x', id: 'x' }, stream: () => partsStream() };
    expect(() => withTextTools(model, 'hermes', { think: ['', '</think>'] })).toThrow(/thoughts\.open.*isOpened: true/);
  });
});

async function* partsStream(): AsyncGenerator<ModelPart> {
  yield* merged(await partsOf(['x']));
}
