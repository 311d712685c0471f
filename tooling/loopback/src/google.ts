import { type Reply, sse } from './loopback.ts';

/** A part of a content, or a step of an interaction, as Google's APIs have it. */
export type GoogleObject = Readonly<Record<string, unknown>>;

/** What a failure of Google's says. */
export interface GoogleFailure {
  readonly status: number;
  readonly message?: string;
  readonly isTooLong?: boolean;
  /** In seconds. */
  readonly retryAfter?: number;
  /** A page that comes instead. */
  readonly page?: string;
}

const statusNames: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

/** An error of either API. How long to wait is in its body, in no header. Made by hand, after the documentation. */
export function googleFailure({ status, message = '', isTooLong, retryAfter, page }: GoogleFailure): Reply {
  if (page !== undefined) return { status, headers: { 'content-type': 'text/html' }, body: page };
  const tooLong = 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).';
  const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfter}s` };
  const error = {
    code: status === 200 ? 500 : status,
    message: isTooLong === true ? tooLong : message,
    status: statusNames.get(status) ?? 'UNKNOWN',
    ...(retryAfter !== undefined && { details: [retry] }),
  };
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8' }, body: JSON.stringify({ error }) };
}

/** How a response of generateContent ends. */
export interface GeminiEnd {
  /** Default: `STOP`, which is what it says of calls, too. */
  readonly finishReason?: string;
  readonly usage?: GoogleObject;
  /** More members of the last candidate. */
  readonly candidate?: GoogleObject;
}

/** A response of generateContent as its body, a chunk for each part. Made by hand, after the documentation. */
export function geminiStream(parts: readonly GoogleObject[], end?: GeminiEnd): string {
  return geminiBody(geminiChunks(parts, end));
}

/** Chunks as a body. Its lines end as the API's do, and nothing but its end says that it is over. */
export function geminiBody(chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
}

/** The chunks of a response. The last has the reason and the final counts. */
export function geminiChunks(parts: readonly GoogleObject[], end: GeminiEnd = {}): GoogleObject[] {
  const { finishReason = 'STOP', usage, candidate } = end;
  const counts = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 };
  const more = { modelVersion: 'gemini', responseId: 'r1' };
  const content = (each: readonly GoogleObject[]) => ({ parts: each, role: 'model' });
  return [
    ...parts.slice(0, -1).map((part) => ({
      candidates: [{ content: content([part]), index: 0 }],
      usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
      ...more,
    })),
    {
      candidates: [{ content: content(parts.slice(-1)), finishReason, index: 0, ...candidate }],
      usageMetadata: { ...counts, ...usage },
      ...more,
    },
  ];
}

/** How a response of the Interactions API ends. */
export interface InteractionEnd {
  /** Default: `requires_action` where there are calls, else `completed`. */
  readonly status?: string;
  readonly usage?: GoogleObject;
  readonly id?: string;
}

/** A response of the Interactions API as its body. Made by hand, after the documentation. */
export function interactionStream(steps: readonly GoogleObject[], end?: InteractionEnd): string {
  return sse([...interactionEvents(steps, end).map((data) => ({ data })), { data: '[DONE]' }]);
}

/** The events of a response: text, thoughts and the arguments of calls come in fragments, other steps whole. */
export function interactionEvents(steps: readonly GoogleObject[], end: InteractionEnd = {}): GoogleObject[] {
  const hasCalls = steps.some(({ type }) => type === 'function_call');
  const { status = hasCalls ? 'requires_action' : 'completed', usage, id = 'v1_abc' } = end;
  const counts = { total_input_tokens: 10, total_output_tokens: 20, total_tokens: 30 };
  const interaction = { id, object: 'interaction', model: 'gemini' };
  return [
    { event_type: 'interaction.created', interaction: { ...interaction, status: 'in_progress' } },
    { event_type: 'interaction.status_update', interaction_id: id, status: 'in_progress' },
    ...steps.flatMap((step, index) => [
      ...stepEvents(step).map((event) => ({ ...event, index })),
      { event_type: 'step.stop', index },
    ]),
    { event_type: 'interaction.completed', interaction: { ...interaction, status, usage: { ...counts, ...usage } } },
  ];
}

function stepEvents(step: GoogleObject): GoogleObject[] {
  const [start, deltas] = split(step);
  return [
    { event_type: 'step.start', step: { type: step['type'], ...start } },
    ...deltas.map((delta) => ({ event_type: 'step.delta', delta })),
  ];
}

function split({ type, ...step }: GoogleObject): [start: GoogleObject, deltas: GoogleObject[]] {
  switch (type) {
    case 'function_call': {
      const { arguments: input, ...start } = step;
      const json = typeof input === 'string' ? input : JSON.stringify(input);
      const deltas = fragments(json === '{}' ? '' : json);
      return [{ ...start, arguments: {} }, deltas.map((text) => ({ type: 'arguments_delta', arguments: text }))];
    }
    case 'model_output':
      return [{}, listOf(step['content']).flatMap(textDeltas)];
    case 'thought': {
      const summaries = listOf(step['summary']).map((content) => ({ type: 'thought_summary', content }));
      const { signature } = step;
      return [{}, signature === undefined ? summaries : [...summaries, { type: 'thought_signature', signature }]];
    }
    default:
      return [step, []];
  }
}

function textDeltas({ type, text, annotations, ...item }: GoogleObject): GoogleObject[] {
  if (type !== 'text') return [{ type, ...item }];
  const deltas = fragments(text).map((part) => ({ type: 'text', text: part }));
  return annotations === undefined ? deltas : [...deltas, { type: 'text_annotation_delta', annotations }];
}

function listOf(value: unknown): readonly GoogleObject[] {
  return Array.isArray(value) ? (value as GoogleObject[]) : [];
}

function fragments(text: unknown): string[] {
  return String(text).match(/.{1,12}/gsu) ?? [];
}
