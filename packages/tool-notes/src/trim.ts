import type { Message, Part } from '@utensil/core';

/** What of a history is left out. */
export interface Trimming {
  /** How many finished segments stay whole beside the one under way: -1 all, 0 none. */
  readonly keepSegments: number;
  /** Whether older calls of a tool are left out, by its name; `*` is for every tool that has no entry. */
  readonly tools: Readonly<Record<string, boolean>>;
}

/**
 * A history without the older calls of tools, and what came of them. Segments end with a result for which `endsSegment`
 * is true; that call itself always stays. Messages that lose nothing stay the same objects.
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

/** The index of the first message behind the results of a turn. */
function startOfNext(messages: readonly Message[], result: number): number {
  const next = messages.findIndex(({ role }, index) => index > result && role !== 'tool');
  return next < 0 ? messages.length : next;
}

/** The message without these parts; nothing where only thoughts are left. What the provider wants back has them all, and goes too. */
function without(message: Message, goes: (part: Part) => boolean): readonly Message[] {
  const parts = message.parts.filter((part) => !goes(part));
  if (parts.length === message.parts.length) return [message];
  if (parts.every(({ type }) => type === 'reasoning')) return [];
  const { origin, ...rest } = message;
  return [{ ...rest, parts, ...(origin && { origin: { api: origin.api, model: origin.model } }) }];
}
