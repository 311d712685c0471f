import { messageOf } from '../base/errors.ts';
import type { Message } from '../model/message.ts';
import { assert } from './assert.ts';
import type { StreamedAnswer } from './model-answer.ts';
import { messageFrom, read, text } from './model-kit.ts';
import type { OpenStage, Stage, readWell } from './model-kit.ts';

/** The answer to each further request. */
export const done = { blocks: [text('Done', '.')] };

interface Exchange {
  readonly stage: Stage;
  readonly history: { readonly parts: Awaited<ReturnType<typeof readWell>>; readonly message: Message };
}

/** First turn of a conversation: the model's answer, and the number of further requests. */
export async function exchange(open: OpenStage, answer: StreamedAnswer, more = 1): Promise<Exchange> {
  const stage = await open([answer, ...Array.from({ length: more }, () => done)]);
  const { parts, error } = await read(stage.model);
  assert(error === undefined, `the model failed: ${messageOf(error)}`);
  return { stage, history: { parts, message: messageFrom(stage.model, parts) } };
}

/** Fails unless the last request contains a text. */
export function assertSaid({ requests }: Stage, said: string): void {
  assert(JSON.stringify(requests.at(-1)).includes(said), `"${said}" is not in the request`);
}

/** Fails if two requests are the same. */
export function assertDifferent({ requests }: Stage): void {
  const bodies = requests.map((request) => JSON.stringify(request));
  for (const [index, body] of bodies.entries()) {
    const first = bodies.indexOf(body);
    assert(first === index, `requests ${first + 1} and ${index + 1} are the same: ${body.slice(0, 2000)}`);
  }
}
