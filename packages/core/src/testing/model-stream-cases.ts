import type { FinishReason, ModelPart, ToolCall } from '../model/model.ts';
import type { Usage } from '../model/usage.ts';
import { assert, assertEqual } from './assert.ts';
import type { AnswerBlock, StreamedAnswer } from './model-answer.ts';
import { call, readWell, reasoning, requestOf, text, textIn, user } from './model-kit.ts';
import type { ModelCase, OpenStage } from './model-kit.ts';

/** Handling of the vendor's streams. */
export const streamCases = {
  'streams text in order, and finishes last': async (open) => {
    const parts = await partsOf(open, [text('Grö', 'ße: 5 ', '\u{1f4cf}, ', 'über\n\n“das”.')]);
    assertEqual(textIn(parts), 'Größe: 5 \u{1f4cf}, über\n\n“das”.', 'the text');
    assert(parts.filter(({ type }) => type === 'text-delta').length > 1, 'the text did not come in pieces');
    assertFinish(parts, 'stop');
  },

  'streams reasoning before text': async (open) => {
    const parts = await partsOf(open, [reasoning('Let me ', 'think.'), text('Done.')]);
    assertEqual(textIn(parts, 'reasoning-delta'), 'Let me think.', 'the reasoning');
    assertEqual(textIn(parts), 'Done.', 'the text');
    assertEqual(order(parts), ['reasoning', 'text'], 'the order');
  },

  'accepts a call without arguments': async (open) => {
    const [made, ...others] = callsIn(await partsOf(open, [call('now')]));
    assertEqual(others, [], 'more calls than one');
    assert(made !== undefined, 'there was no call');
    assertEqual(made.input, {}, 'the input');
    assert(made.invalidInput === undefined, `the input is invalid: ${JSON.stringify(made.invalidInput)}`);
    assertEqual([made.name, made.executedBy], ['now', 'us'], 'the call');
  },

  'reports two calls of one turn in order, each begun before it is complete': async (open) => {
    const parts = await partsOf(open, [call('read', '{"path":"a"}'), call('read', '{"path":"b"}')]);
    const made = callsIn(parts);
    assertEqual(
      made.map(({ input }) => input),
      [{ path: 'a' }, { path: 'b' }],
      'the inputs',
    );
    const ids = new Set(made.map(({ callId }) => callId));
    assert(ids.size === 2 && !ids.has(''), `the calls have the ids ${JSON.stringify([...ids])}`);
    for (const { callId, name } of made) assertBegun(parts, callId, name);
    assertFinish(parts, 'tool-calls');
  },

  'joins the arguments of a call from fragments': async (open) => {
    const input = { path: 'Größe "a"/\u{1f4cf}\\.md', deep: [{ n: 1.5 }, null, true] };
    const whole = JSON.stringify(input);
    const deltas = [whole.slice(0, 1), whole.slice(1, 12), whole.slice(12, 13), whole.slice(13)];
    const parts = await partsOf(open, [call('read', ...deltas)]);
    const [made] = callsIn(parts);
    assertEqual(made?.input, input, 'the input');
    assertBegun(parts, made?.callId ?? '', 'read');
    const told = parts.map((part) => (part.type === 'tool-input-delta' ? part.delta : '')).join('');
    assertEqual(JSON.parse(told), input, 'the fragments before the call');
  },

  'keeps arguments that are not JSON, for the model to correct': async (open) => {
    const parts = await partsOf(open, [call('read', '{"path": ', 'oops'), call('now', '{}')]);
    const [broken, whole] = callsIn(parts);
    assertEqual([broken?.input, broken?.invalidInput], [{}, '{"path": oops'], 'the broken call');
    assertEqual(whole?.name, 'now', 'the call behind it');
  },

  'keeps text and calls in the order of the stream': async (open) => {
    const [a, b] = [call('read', '{"path":"a"}'), call('read', '{"path":"b"}')];
    const parts = await partsOf(open, [text('One.', ' '), a, text('Two.', ' '), b, text('Three.')]);
    assertEqual(order(parts), ['text', 'call', 'text', 'call', 'text'], 'the order');
    assertEqual(textIn(parts), 'One. Two. Three.', 'the text');
  },

  'reports calls for every finish reason': async (open) => {
    const parts = await partsOf(open, [call('now')], { reason: 'stop' });
    assertEqual(
      callsIn(parts).map(({ name }) => name),
      ['now'],
      'the calls',
    );
  },

  'reports that the output limit ended the turn': async (open) => {
    assertFinish(await partsOf(open, [text('And ', 'then')], { reason: 'length' }), 'length');
  },

  'reports a refusal by the model': async (open) => {
    assertFinish(await partsOf(open, [text('I ', 'cannot.')], { reason: 'refusal' }), 'refusal');
  },

  'reports that a filter ended the turn': async (open) => {
    assertFinish(await partsOf(open, [text('Well, ', 'then')], { reason: 'content-filter' }), 'content-filter');
  },

  'ignores unknown events and members': async (open) => {
    const blocks = [text('Let me ', 'see.'), call('read', '{"path":', '"a"}')];
    const parts = await partsOf(open, blocks, { unknownEvents: true });
    assertEqual(order(parts), ['text', 'call'], 'the order');
    assertEqual(textIn(parts), 'Let me see.', 'the text');
    assertEqual(callsIn(parts)[0]?.input, { path: 'a' }, 'the input');
    assertFinish(parts, 'tool-calls');
  },

  'counts input and output tokens': async (open) => {
    const { inputTokens, outputTokens } = await usageOf(open, { inputTokens: 120, outputTokens: 34 });
    assertEqual({ inputTokens, outputTokens }, { inputTokens: 120, outputTokens: 34 }, 'the tokens');
  },

  'counts tokens read from the cache as input': async (open) => {
    const { inputTokens, cacheReadTokens } = await usageOf(open, { inputTokens: 120, cacheReadTokens: 90 });
    assertEqual({ inputTokens, cacheReadTokens }, { inputTokens: 120, cacheReadTokens: 90 }, 'the tokens');
  },

  'counts tokens written to the cache as input': async (open) => {
    const { inputTokens, cacheWriteTokens } = await usageOf(open, { inputTokens: 120, cacheWriteTokens: 25 });
    assertEqual({ inputTokens, cacheWriteTokens }, { inputTokens: 120, cacheWriteTokens: 25 }, 'the tokens');
  },

  'counts reasoning as output': async (open) => {
    const { outputTokens, reasoningTokens } = await usageOf(open, { outputTokens: 34, reasoningTokens: 21 });
    assertEqual({ outputTokens, reasoningTokens }, { outputTokens: 34, reasoningTokens: 21 }, 'the tokens');
  },

  'answers two requests at once, each by itself': async (open) => {
    const answer = (request: unknown): StreamedAnswer => {
      const said = JSON.stringify(request).includes('First.') ? 'first' : 'second';
      return { blocks: [text(said.slice(0, 2), said.slice(2)), call('read', `{"path":`, `"${said}"}`)] };
    };
    const { model } = await open([answer, answer]);
    const ask = async (said: string): Promise<readonly ModelPart[]> =>
      readWell(model, requestOf({ messages: [user(said)] }));
    const [first, second] = await Promise.all([ask('First.'), ask('Second.')]);
    assertEqual([textIn(first), textIn(second)], ['first', 'second'], 'the texts');
    assertEqual(
      [first, second].map(callsIn).map(([made]) => made?.input),
      [{ path: 'first' }, { path: 'second' }],
      'the inputs',
    );
  },
} satisfies Readonly<Record<string, ModelCase>>;

async function partsOf(
  open: OpenStage,
  blocks: readonly AnswerBlock[],
  more: Partial<StreamedAnswer> = {},
): Promise<readonly ModelPart[]> {
  const { model } = await open([{ blocks, ...more }]);
  return readWell(model);
}

async function usageOf(open: OpenStage, counted: Partial<Usage>): Promise<Usage> {
  const usage = { inputTokens: 100, outputTokens: 30, ...counted };
  const last = (await partsOf(open, [text('Hi', '.')], { usage })).at(-1);
  assert(last?.type === 'finish', 'the stream did not end with `finish`');
  return last.usage;
}

export function callsIn(parts: readonly ModelPart[]): readonly ToolCall[] {
  return parts.filter((part): part is ToolCall => part.type === 'tool-call');
}

/** Structure of a turn: runs of reasoning and text, and whole calls. */
function order(parts: readonly ModelPart[]): readonly string[] {
  const kinds = parts.flatMap(({ type }) => {
    if (type === 'tool-call') return ['call'];
    return type === 'text-delta' || type === 'reasoning-delta' ? [type.replace('-delta', '')] : [];
  });
  return kinds.filter((kind, index) => kind === 'call' || kind !== kinds[index - 1]);
}

/** A call starts once, then its deltas follow, then the complete call. */
function assertBegun(parts: readonly ModelPart[], callId: string, name: string): void {
  const own = parts.filter((part) => 'callId' in part && part.callId === callId);
  const [begun, ...others] = own;
  assert(begun?.type === 'tool-input-start', `the call ${callId} was not begun first`);
  assertEqual(begun.name, name, `the name by which ${callId} was begun`);
  assert(!others.some(({ type }) => type === 'tool-input-start'), `the call ${callId} was begun twice`);
  assert(own.at(-1)?.type === 'tool-call', `the call ${callId} was reported after it was complete`);
}

function assertFinish(parts: readonly ModelPart[], reason: FinishReason): void {
  const ends = parts.filter(({ type }) => type === 'finish');
  assert(ends.length === 1, `the stream has ${ends.length} parts \`finish\``);
  const last = parts.at(-1);
  assert(last?.type === 'finish', `behind \`finish\` came \`${String(last?.type)}\``);
  assertEqual(last.reason, reason, 'the reason');
}
