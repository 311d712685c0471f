import fc from 'fast-check';
import { expect, it } from 'vitest';
import { failure } from '../../tool/result.ts';
import { arrangeHistory } from '../../model/arrangement.ts';
import { callsOf } from '../../model/message.ts';
import type { Message, ToolCallPart } from '../../model/message.ts';
import { noUsage } from '../../model/usage.ts';
import type { FinishReason } from '../../model/model.ts';
import { initialState } from './state.ts';
import type { RunEffect, RunInput, RunState, Verdict } from './state.ts';
import { draftOf } from './draft.ts';
import type { Draft } from './draft.ts';
import { advance, step } from './step.ts';

const reasons: readonly FinishReason[] = [
  'stop',
  'tool-calls',
  'length',
  'refusal',
  'content-filter',
  'pause',
  'error',
];
const ids = ['a', 'b', 'c'];

const call = (callId: string, invalid = false): ToolCallPart => ({
  type: 'tool-call',
  callId,
  name: 't',
  input: {},
  executedBy: 'us',
  ...(invalid && { invalidInput: '{' }),
});

/** Any event, in any order: correct, late, repeated, or about calls that do not exist. */
const anyInput: fc.Arbitrary<RunInput> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('turn' as const),
      message: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 3 }).chain((chosen) =>
        fc.boolean().map((invalid): Message => ({
          id: 'm',
          role: 'assistant',
          createdAt: 0,
          parts: chosen.map((id) => call(id, invalid)),
        })),
      ),
      reason: fc.constantFrom(...reasons),
      usage: fc.constant({ ...noUsage, outputTokens: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('prepared' as const),
      call: fc.constantFrom(...ids).map((id) => call(id)),
      effects: fc.constantFrom('read' as const, 'write' as const),
      verdict: fc.constantFrom<Verdict>(
        'allow',
        { ask: 'approval' },
        { ask: 'input' },
        { ask: 'recovery' },
        { result: failure('tool_denied', 'no') },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...ids).map((callId): RunInput => ({
      type: 'result',
      callId,
      result: failure('tool_failed', 'x'),
      message: {
        id: `r${callId}`,
        role: 'tool',
        createdAt: 0,
        parts: [{ type: 'tool-result', callId, name: 't', output: null, modelParts: [], isError: true }],
      },
    })),
  },
  {
    weight: 3,
    arbitrary: fc.subarray(ids, { minLength: 1 }).map((chosen): RunInput => {
      const calls = chosen.map((id) => call(id));
      const message: Message = { id: 'm', role: 'assistant', createdAt: 0, parts: calls, incomplete: true };
      return { type: 'call', call: calls.at(-1) as ToolCallPart, message };
    }),
  },
  fc.constantFrom(...ids).map((callId): RunInput => ({ type: 'approved', callId })),
  fc.boolean().map((goesOn): RunInput => ({ type: 'limit-answered', goesOn })),
  fc.constant<RunInput>({ type: 'send', message: { id: 'u', role: 'user', createdAt: 0, parts: [] } }),
  fc.constant<RunInput>({ type: 'turn-failed', problem: { code: 'prompt_too_long', message: 'x' } }),
  fc.constantFrom<RunInput>(
    { type: 'time-over' },
    { type: 'stop' },
    { type: 'abort' },
    { type: 'failed', problem: { code: 'EIO', message: 'x' } },
  ),
);

interface Played {
  readonly states: readonly RunState[];
  readonly effects: readonly RunEffect[];
}

/** No state and no input may change, in none of its parts. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

const first = (): RunState => initialState({ limits: { steps: 3 }, toolChoice: 'auto', messages: [] });

function play(inputs: readonly RunInput[]): Played {
  let state = frozen(first());
  const states = [state];
  const effects: RunEffect[] = [];
  for (const input of [{ type: 'begin' } as const, ...inputs]) {
    const next = step(state, frozen(input));
    state = frozen(next.state);
    states.push(state);
    effects.push(...next.effects);
  }
  return { states, effects };
}

it('whatever happens, in whatever order: one end at most, nothing after it, and the same again', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
      const { states, effects } = play(inputs);
      const ends = effects.filter(({ type }) => type === 'end');
      expect(ends.length).toBe(states.at(-1)?.end === undefined ? 0 : 1);
      expect(effects.slice(0, -1).filter(({ type }) => type === 'end')).toEqual([]);
      expect(play(inputs)).toEqual({ states, effects });
    }),
    { numRuns: 500 },
  );
});

it('a draft that takes all inputs comes to the state and the effects of its steps', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 30 }), (inputs) => {
      const { states, effects } = play(inputs);
      const draft: Draft = { state: draftOf(first()), effects: [], reads: 0 };
      for (const input of [{ type: 'begin' } as const, ...inputs]) {
        draft.reads = draft.effects.length;
        advance(draft, input);
      }
      expect([draft.state, draft.effects]).toEqual([states.at(-1), effects]);
    }),
    { numRuns: 500 },
  );
});

/** Feeds each effect the answer that it asks for, in an order of chance, with disturbances in between. */
function live(choices: readonly number[], turns: readonly Extract<RunInput, { type: 'turn' }>[]): Played {
  const pending: RunInput[] = [{ type: 'begin' }];
  const states: RunState[] = [];
  const effects: RunEffect[] = [];
  let state = initialState({ limits: { steps: 4 }, toolChoice: 'auto', messages: [], asksAtLimit: true });
  let turn = 0;
  let choice = 0;
  for (let moment = 0; pending.length > 0; moment++) {
    choice = choices[moment % choices.length] ?? 0;
    const [input] = pending.splice(choice % pending.length, 1) as [RunInput];
    apply(input);
    if (choice % 97 === 0 && moment < 20) pending.push({ type: 'stop' }, { type: 'time-over' });
  }
  return { states, effects };

  function apply(input: RunInput): void {
    const next = step(state, input);
    state = next.state;
    states.push(state);
    effects.push(...next.effects);
    for (const effect of next.effects) answer(effect);
  }

  function answer(effect: RunEffect): void {
    if (effect.type === 'call-model') {
      const played = turns[turn % turns.length] as Extract<RunInput, { type: 'turn' }>;
      const parts = callsOf(played.message).map((each) => ({ ...each, callId: `${each.callId}${turn}` }));
      const message = { ...played.message, id: `m${turn++}`, parts };
      if (choice % 3 === 0) {
        // its calls come while it is being streamed, in their order
        const first = parts.slice(0, 1 + (choice % 2)).map((each, index): RunInput => {
          return {
            type: 'call',
            call: each,
            message: { ...message, parts: parts.slice(0, index + 1), incomplete: true },
          };
        });
        for (const each of first) apply(each);
      }
      pending.push(
        choice % 13 === 0
          ? { type: 'turn-failed', problem, message: { ...message, incomplete: true } }
          : { ...played, message },
      );
    } else if (effect.type === 'ask-limit') {
      pending.push({ type: 'limit-answered', goesOn: choice % 3 === 0 && states.length < 60 });
    } else if (effect.type === 'prepare-call') {
      const question = choice % 11 === 0 ? 'input' : 'approval';
      const isRefused = choice % 7 === 0;
      const verdict: Verdict =
        choice % 5 === 0 ? { ask: question } : isRefused ? { result: failure('tool_denied', 'no') } : 'allow';
      pending.push({
        type: 'prepared',
        call: effect.call,
        effects: choice % 2 === 0 ? 'read' : 'write',
        verdict,
      });
    } else if (effect.type === 'execute-call' || effect.type === 'settle-call' || effect.type === 'ask') {
      if (effect.type === 'ask' && effect.question === 'approval')
        pending.push({ type: 'approved', callId: effect.call.callId });
      else pending.push(resultOf(effect.call));
    }
  }
}

const problem = { code: 'model_failed', message: 'x' } as const;

function resultOf({ callId, name }: ToolCallPart): RunInput {
  const part = { type: 'tool-result', callId, name, output: null, modelParts: [], isError: false } as const;
  return {
    type: 'result',
    callId,
    result: failure('tool_failed', ''),
    message: { id: `r-${callId}`, role: 'tool', createdAt: 0, parts: [part] },
  };
}

it('always comes to an end, answers every call once, and never sends a request with an open call', () => {
  const aTurn = fc.record({
    type: fc.constant('turn' as const),
    message: fc
      .subarray(ids)
      .map((chosen): Message => ({ id: 'm', role: 'assistant', createdAt: 0, parts: chosen.map((id) => call(id)) })),
    reason: fc.constantFrom(...reasons),
    usage: fc.constant(noUsage),
  });
  fc.assert(
    fc.property(
      fc.array(fc.nat(1000), { minLength: 1, maxLength: 50 }),
      fc.array(aTurn, { minLength: 1, maxLength: 4 }),
      (choices, turns) => {
        const { states, effects } = live(choices, turns);
        expect(states.at(-1)?.end).toBeDefined();
        const requests = effects.flatMap((effect) => (effect.type === 'call-model' ? [effect.messages] : []));
        expect(requests.map(arrangeHistory)).toEqual(requests);
        const begun = effects
          .filter(({ type }) => type === 'execute-call')
          .map((effect) => (effect as { call: ToolCallPart }).call.callId);
        expect(new Set(begun).size).toBe(begun.length);
        const kept = states.at(-1)?.messages.map(({ id }) => id) ?? [];
        expect(new Set(kept).size).toBe(kept.length);
        const appended = effects.flatMap((effect) => (effect.type === 'append' ? [effect.message.id] : []));
        expect(kept.toSorted()).toEqual([...new Set(appended)].sort());
      },
    ),
    { numRuns: 500 },
  );
});

it('an abort while calls are prepared keeps the message, and answers its calls as not run', () => {
  const message: Message = {
    id: 'm',
    role: 'assistant',
    createdAt: 0,
    parts: [{ type: 'text', text: 'x' }, call('a')],
  };
  const { effects } = play([
    { type: 'turn', message, reason: 'stop', usage: noUsage },
    { type: 'abort' },
    resultOf(call('a')),
  ]);
  const settled = effects.find(({ type }) => type === 'settle-call');
  expect(settled).toMatchObject({ result: { output: 'Tool "t" was not run: the run was aborted.' } });
  expect(effects.slice(-3)).toMatchObject([
    { type: 'append', message },
    { type: 'append', message: { id: 'r-a' } },
    { type: 'end', end: { status: 'aborted' } },
  ]);
});
