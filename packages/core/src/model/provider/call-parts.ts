import type { ToolCall, ToolInputDelta, ToolInputStart } from '../model.ts';
import { parseToolInput } from '../tool-input.ts';

/** Id for a call that the server gave none: 37 characters, because some vendors accept at most 40. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}

/**
 * Joins the fragments of a call's arguments. Some servers send them more than once: whole after their fragments,
 * cumulative in each fragment, or after a `{}` that stands in until the model has written some.
 */
export function joinArguments(fragments: readonly string[]): string {
  const text = fragments.join('');
  if (fragments.length < 2 || isWhole(text)) return text;
  const [first, ...others] = fragments;
  const rest = others.join('');
  if (first === '{}' && isWhole(rest)) return rest;
  const last = fragments.at(-1) ?? '';
  const isRepeated = text.slice(0, -last.length) === last;
  const isGrowing = others.every((fragment, index) => fragment.startsWith(fragments[index] ?? ''));
  return (isRepeated || isGrowing) && isWhole(last) ? last : text;
}

function isWhole(text: string): boolean {
  return parseToolInput(text).invalidInput === undefined;
}

/** Parts of a complete call for us to run. `written` holds its arguments: JSON text, or the value itself. */
export function wholeCall(
  callId: string,
  name: string,
  written: unknown,
): readonly [ToolInputStart, ToolInputDelta, ToolCall] {
  const parsed = parseToolInput(written);
  const delta = typeof written === 'string' ? written : (parsed.invalidInput ?? JSON.stringify(parsed.input));
  return [
    { type: 'tool-input-start', callId, name },
    { type: 'tool-input-delta', callId, delta },
    { type: 'tool-call', callId, name, ...parsed, executedBy: 'us' },
  ];
}
