// The thread that every vendor begins: parallel calls of which some go wrong, thoughts, and a call that was interrupted.
import { type Message, type Model, type RunOptions, type RunResult, run } from '@utensil/core';
import type { Answer, AnswerBlock } from '@utensil/tooling-loopback/answer';
import { toolset, user } from '@utensil/tooling-loopback/continuity';
import { type Vendor, serve, stateOf } from './vendors.ts';

export const call = (name: string, input: object): AnswerBlock => ({
  type: 'call',
  name,
  deltas: [JSON.stringify(input)],
});

const says = (text: string): AnswerBlock => ({ type: 'text', deltas: [text] });

/** A turn in which the model thinks, says that it looks, and calls. */
export function thinkingTurn(vendor: Vendor, ...calls: readonly AnswerBlock[]): Answer {
  const thought = { type: 'reasoning', deltas: [`Thoughts of ${vendor.name}.`] } as const;
  return { blocks: [thought, says('I look.'), ...calls], state: stateOf(vendor) };
}

/** A turn that ends a run. */
export function lastTurn({ name }: Vendor): Answer {
  return { blocks: [says(`Done by ${name}.`)] };
}

/** Runs a turn of the user's that has to go well. */
export async function ask(model: Model, text: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  const { messages = [], ...rest } = options;
  const before = typeof messages === 'string' ? [] : messages;
  const outcome = await run({ model, toolset, ...rest, messages: [...before, user(text)] }).result;
  if (outcome.status !== 'complete') throw new Error(`${outcome.status}: ${outcome.error?.message ?? ''}`);
  return outcome;
}

/** A thread of two turns. The app ended before the last call of the second was answered. */
export async function beginThread(vendor: Vendor): Promise<readonly Message[]> {
  const first = thinkingTurn(
    vendor,
    call('read', { path: 'a' }),
    call('read', { path: 'none' }),
    call(vendor.gone, { deep: true }),
  );
  const second = thinkingTurn(vendor, call('read', { path: 'b' }), call('read', { path: 'c' }));
  await using server = await serve(vendor, first, lastTurn(vendor), second, lastTurn(vendor));
  const model = vendor.make(server.url);
  const begun = await ask(model, 'Begin.');
  const { messages } = await ask(model, 'Once more.', { messages: begun.messages });
  const answers = messages.filter(({ role }) => role === 'tool');
  return messages.slice(0, messages.indexOf(answers.at(-1) as Message));
}
