import { type Reply, type ServerSentEvent, sse } from './loopback.ts';

/** An answer of a model in nobody's wire format, as `modelSuite` of core asks for it. */
export interface Answer {
  readonly blocks: readonly AnswerBlock[];
  readonly reason?: string;
  readonly usage?: Counts;
  readonly state?: string;
  readonly unknownEvents?: boolean;
  readonly ends?: 'truncated' | 'without-end' | 'error' | 'hangs';
}

/** A part of an answer, in the pieces in which it is streamed. */
export interface AnswerBlock {
  readonly type: 'text' | 'reasoning' | 'call';
  readonly deltas: readonly string[];
  /** Of a call. */
  readonly name?: string;
}

/** What a vendor counts. */
export interface Counts {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

/** An answer that is none. */
export interface Failure {
  readonly status: number;
  readonly message?: string;
  readonly isTooLong?: boolean;
  /** In seconds. */
  readonly retryAfter?: number;
  readonly page?: string;
}

/** An answer in a vendor's wire format. */
export interface EncodedAnswer {
  /** Up to its end. */
  readonly content: readonly ServerSentEvent[];
  readonly end: readonly ServerSentEvent[];
}

/** How a vendor writes answers. */
export interface WireFormat {
  encode(answer: Answer): EncodedAnswer;
  /** What the vendor sends when it fails in the middle. */
  readonly failure: ServerSentEvent;
  /** An event that nobody knows. */
  readonly unknown: ServerSentEvent;
  /** The body of an error. */
  toError(failure: Failure): unknown;
  /** An event as text. Default: a server-sent event. */
  write?(event: ServerSentEvent): string;
  /** Default: `text/event-stream`. */
  readonly contentType?: string;
}

/** An answer as the server plays it, event by event. */
export function play(answer: Answer | Failure, wire: WireFormat): Reply {
  return 'status' in answer ? playFailure(answer, wire) : playStream(answer, wire);
}

function playStream(answer: Answer, wire: WireFormat): Reply {
  const { content, end } = wire.encode(answer);
  const { ends, unknownEvents = false } = answer;
  const ending = ends === 'error' ? [wire.failure] : ends === undefined ? end : [];
  const events = unknownEvents
    ? [...content, ...ending].flatMap((event) => disguise(event, wire))
    : [...content, ...ending];
  const write = wire.write ?? ((event: ServerSentEvent) => sse([event]));
  return {
    body: events.map(write),
    end: ends === 'truncated' ? 'destroy' : ends === 'hangs' ? 'hang' : 'end',
    ...(wire.contentType !== undefined && { headers: { 'content-type': wire.contentType } }),
  };
}

/** The event with a member that nobody knows, behind one that nobody knows. */
function disguise(event: ServerSentEvent, { unknown }: WireFormat): readonly ServerSentEvent[] {
  const { data } = event;
  if (typeof data !== 'object' || data === null) return [event];
  return [unknown, { ...event, data: { ...data, unheard_of: [{ text: 'nothing' }] } }];
}

function playFailure(failure: Failure, wire: WireFormat): Reply {
  const { status, page, retryAfter } = failure;
  return {
    status,
    headers: {
      'content-type': page === undefined ? 'application/json' : 'text/html',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: page ?? JSON.stringify(wire.toError(failure)),
  };
}
