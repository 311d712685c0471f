import { loopback } from '@utensil/tooling-loopback';
import type { RecordedRequest, Reply } from '@utensil/tooling-loopback';
import { play } from '@utensil/tooling-loopback/answer';
import type { AnswerBlock, Failure } from '@utensil/tooling-loopback/answer';
import { openaiChatWire } from '@utensil/tooling-loopback/openai-answer';
import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';

/** A turn of the model: what it says and calls, or how it fails. */
export type Turn =
  | {
      readonly text?: string;
      readonly calls?: readonly { readonly name: string; readonly input: object }[];
      /** Milliseconds between the pieces. */
      readonly delay?: number;
      /** The second half of the answer waits for this. */
      readonly pause?: Promise<unknown>;
      readonly ends?: 'truncated' | 'hangs';
    }
  | Failure
  /** Nothing is ever answered. */
  | 'silence';

/** A server that a page may ask for a model's turns. */
export interface ModelServer {
  readonly url: string;
  /** The bodies of the requests that were made for turns. */
  readonly requests: readonly { readonly headers: RecordedRequest['headers']; readonly body: ChatRequest }[];
  /** Number of requests that the page has cancelled. */
  cancelled(): number;
}

/** Parts of a request that the tests look at. */
export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description: string } }[];
}

const leave = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, *', // the star does not stand for it
  'access-control-allow-methods': '*',
  'access-control-expose-headers': 'retry-after', // else a page is not told for how long to wait
};

/** A pause of an answer, and the function that ends it. */
export function held(): { readonly pause: Promise<void>; goesOn(): void } {
  let goesOn = (): void => undefined;
  const pause = new Promise<void>((resolve) => (goesOn = resolve));
  return { pause, goesOn: () => goesOn() };
}

/** Serves turns of a model over real HTTP: one after the other, or as a function of the request. */
export async function serveModel(
  turns: readonly Turn[] | ((request: ChatRequest, index: number) => Turn),
): Promise<ModelServer> {
  const requests: { headers: RecordedRequest['headers']; body: ChatRequest }[] = [];
  const server = await loopback(({ method, headers, json }): Reply | Promise<Reply> => {
    if (method === 'OPTIONS') return { status: 204, headers: leave };
    const body = json() as ChatRequest;
    const index = requests.push({ headers, body }) - 1;
    const turn =
      typeof turns === 'function' ? turns(body, index) : (turns[index] ?? { text: 'There is nothing more to say.' });
    if (turn === 'silence') return new Promise(() => undefined);
    const reply = play('status' in turn ? turn : answerOf(turn), openaiChatWire);
    const delay = 'delay' in turn && turn.delay !== undefined ? { delay: turn.delay } : {};
    const pause = 'pause' in turn && turn.pause !== undefined ? { pause: turn.pause } : {};
    return { ...reply, ...delay, ...pause, headers: { ...reply.headers, ...leave } };
  });
  onTestFinished(() => server.close());
  return { url: `${server.url}/v1`, requests, cancelled: server.cancelled };
}

function answerOf({
  text = '',
  calls = [],
  ends,
}: Exclude<Turn, Failure | 'silence'>): Parameters<typeof openaiChatWire.encode>[0] {
  const said: readonly AnswerBlock[] = text === '' ? [] : [{ type: 'text', deltas: text.match(/.{1,12}/gsu) ?? [] }];
  const made = calls.map(({ name, input }): AnswerBlock => ({ type: 'call', name, deltas: [JSON.stringify(input)] }));
  return { blocks: [...said, ...made], ...(ends !== undefined && { ends }) };
}

/** Has the page ask that server, as a person would. */
export async function chooseServer(page: Page, { url }: ModelServer): Promise<void> {
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  await page.getByRole('radio', { name: 'Another server' }).check();
  await page.getByLabel('Address').fill(url);
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.getByRole('link', { name: 'Model: Another server' }).waitFor(); // the choice is stored
}

/** Writes a message, as a person would. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** Leaves a conversation for a new one, and waits until the former one has gone: what is typed before is its own. */
export async function beginAnother(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'New conversation' }).click();
  await page.locator('.beginning').waitFor();
}
