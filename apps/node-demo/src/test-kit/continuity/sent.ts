// Calls and their results in a request, in any wire format.
import { dialects, readCalls } from '@utensil/text-dialects';

/** A call in a vendor's request. */
export interface SentCall {
  /** Undefined if the wire has none. */
  readonly id: unknown;
  readonly name: unknown;
  /** As an object, whether it went as one or as its JSON. */
  readonly input: unknown;
}

/** A result in a vendor's request. */
export interface SentResult {
  readonly id: unknown;
  readonly text: string;
  /** True if the wire has a mark for failures, and this result has it. */
  readonly isMarked: boolean;
}

export interface Sent {
  readonly calls: readonly SentCall[];
  readonly results: readonly SentResult[];
}

/** Reads a request of an api. */
export type ReadSent = (body: unknown) => Sent;

type Fields = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const inputOf = (input: unknown): unknown => (typeof input === 'string' ? (JSON.parse(input) as unknown) : input);

/** All text within a value. */
export function textWithin(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.values(value).map(textWithin).join('\n') : '';
}

/** Items of a list, by their type. */
function byType(items: readonly Fields[], types: { readonly call: string; readonly result: string }): Sent {
  const of = (kind: string): readonly Fields[] => items.filter(({ type }) => type === kind);
  return {
    calls: of(types.call).map((item) => ({
      id: item['call_id'] ?? item['id'],
      name: item['name'],
      input: inputOf(item['input'] ?? item['arguments']),
    })),
    results: of(types.result).map((item) => ({
      id: item['call_id'] ?? item['tool_use_id'],
      text: textWithin(item['content'] ?? item['output'] ?? item['result']),
      isMarked: item['is_error'] === true,
    })),
  };
}

export const readAnthropic: ReadSent = (body) =>
  byType(
    list(fields(body)['messages']).flatMap(({ content }) => list(content)),
    { call: 'tool_use', result: 'tool_result' },
  );

export const readResponses: ReadSent = (body) =>
  byType(list(fields(body)['input']), { call: 'function_call', result: 'function_call_output' });

export const readInteractions: ReadSent = (body) =>
  byType(list(fields(body)['input']), { call: 'function_call', result: 'function_result' });

/** Chat Completions, and Ollama's API that is like it. */
export const readChat: ReadSent = (body) => {
  const messages = list(fields(body)['messages']);
  return {
    calls: messages
      .flatMap((message) => list(message['tool_calls']))
      .map((call) => {
        const { name, arguments: input } = fields(call['function']);
        return { id: call['id'], name, input: inputOf(input) };
      }),
    results: messages
      .filter(({ role }) => role === 'tool')
      .map((message) => ({ id: message['tool_call_id'], text: textWithin(message['content']), isMarked: false })),
  };
};

export const readGemini: ReadSent = (body) => {
  const parts = list(fields(body)['contents']).flatMap((content) => list(content['parts']));
  const of = (kind: string): readonly Fields[] => parts.flatMap((part) => (kind in part ? [fields(part[kind])] : []));
  return {
    calls: of('functionCall').map(({ id, name, args }) => ({ id, name, input: args })),
    results: of('functionResponse').map(({ id, response }) => ({
      id,
      text: textWithin(response),
      isMarked: 'error' in fields(response),
    })),
  };
};

/** Calls and results that stand in texts. */
export const readText: ReadSent = (body) => {
  const messages = list(fields(body)['messages']);
  const said = (role: string): string =>
    messages
      .filter((message) => message['role'] === role)
      .map(({ content }) => textWithin(content))
      .join('\n');
  const { open, close } = dialects.hermes.result;
  const frames = said('user')
    .split(open.split('{name}')[0]?.trim() ?? open)
    .slice(1);
  return {
    calls: readCalls(said('assistant'), dialects.hermes).map(({ name, input }) => ({ id: undefined, name, input })),
    results: frames.map((frame) => ({ id: undefined, text: frame.split(close.trim())[0] ?? '', isMarked: false })),
  };
};
