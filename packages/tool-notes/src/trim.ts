import type { Message, Part } from '@utensil/core';

/** Parts of a history to omit. */
export interface Trimming {
  /** Number of finished segments to keep complete, besides the current one: -1 for all, 0 for none. */
  readonly keepSegments: number;
  /** Tools whose older calls are omitted, by name; `*` applies to tools without an entry. */
  readonly tools: Readonly<Record<string, boolean>>;
}

/**
 * Omits older tool calls and their results from a history. A segment ends with a result for which `endsSegment` returns
 * true; that call always stays. Unaffected messages remain the same objects.
 */
export function trim(
  messages: readonly Message[],
  endsSegment: (part: Part) => boolean,
  { keepSegments, tools }: Trimming,
): readonly Message[] {
  if (keepSegments < 0) return messages;
  const ends = messages.flatMap(({ parts }, index) => (parts.some(endsSegment) ? [index] : []));
  const end = ends.at(-1 - keepSegments);
  if (end === undefined) return messages;
  const kept = new Set(callsThatEnd(messages, endsSegment));
  const goes = (part: Part): boolean =>
    (part.type === 'tool-result' || (part.type === 'tool-call' && part.executedBy === 'us')) &&
    !kept.has(part.callId) &&
    (Object.hasOwn(tools, part.name) ? tools[part.name] : tools['*']) === true;
  const begin = startOfNext(messages, end);
  return [...messages.slice(0, begin).flatMap((message) => without(message, goes)), ...messages.slice(begin)];
}

function callsThatEnd(messages: readonly Message[], endsSegment: (part: Part) => boolean): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' && endsSegment(part) ? [part.callId] : [])),
  );
}

/** Index of the first message after the results of a turn. */
function startOfNext(messages: readonly Message[], result: number): number {
  const next = messages.findIndex(({ role }, index) => index > result && role !== 'tool');
  return next < 0 ? messages.length : next;
}

/**
 * The message without these parts; nothing if only reasoning is left. The provider's raw data contains all parts, so it
 * is dropped too.
 */
function without(message: Message, goes: (part: Part) => boolean): readonly Message[] {
  const parts = message.parts.filter((part) => !goes(part));
  if (parts.length === message.parts.length) return [message];
  if (parts.every(({ type }) => type === 'reasoning')) return [];
  const { origin, ...rest } = message;
  return [{ ...rest, parts, ...(origin && { origin: { api: origin.api, model: origin.model } }) }];
}
