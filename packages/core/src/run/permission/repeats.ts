import { canonicalJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { textOf } from '../../model/message.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import { failure } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';

/** Detects calls that a model repeats. */
export interface RepeatGuard {
  /** Result for a call that has returned the same too often, or repeats an earlier search. */
  refusal(call: PreparedCall): ToolResult | undefined;
  record(call: PreparedCall, result: ToolResult): void;
}

const defaultRepeats = 4;

/** Refuses a call after `most` consecutive equal results. `Infinity`: never, and nothing is recorded. */
export function createRepeatGuard(most: number = defaultRepeats): RepeatGuard {
  if (most === Infinity) return { refusal: () => undefined, record: () => undefined };
  const results = new Map<string, { readonly text: string; readonly count: number }>();
  let known: Known = { name: '', input: {}, key: '' };
  const queries: { readonly name: string; readonly query: NonNullable<PreparedCall['query']> }[] = [];

  /** The call that was checked last is usually recorded next. */
  function keyOf(name: string, input: JsonObject): string {
    if (known.name !== name || known.input !== input) known = { name, input, key: `${name} ${canonicalJson(input)}` };
    return known.key;
  }

  return {
    refusal({ name, input, query }) {
      const count = results.get(keyOf(name, input))?.count ?? 0;
      if (count > 0 && count >= most) return failure('call_repeated', repeatedText(name, count));
      if (query === undefined) return undefined;
      const isLike = (each: (typeof queries)[number]): boolean =>
        each.name === name && each.query.among === query.among && isSimilar(each.query.text, query.text);
      const similar = queries.find(isLike);
      return similar && failure('call_repeated', searchedText(similar.query.text));
    },
    record({ name, input, query }, { modelParts, isError }) {
      const key = keyOf(name, input);
      const text = textOf(modelParts);
      const before = results.get(key);
      results.set(key, { text, count: before?.text === text ? before.count + 1 : 1 });
      if (query !== undefined && !isError) queries.push({ name, query });
    },
  };
}

/** Key that distinguishes different calls. */
interface Known extends Pick<PreparedCall, 'name' | 'input'> {
  readonly key: string;
}

/** Minimum share of common words for two queries to count as the same. */
const enoughInCommon = 0.6;

/** True if two queries share most of their words: of both together, or of the shorter one. */
function isSimilar(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const common = [...a].filter((word) => b.has(word)).length;
  return common > 0 && common / Math.min(a.size, b.size) >= enoughInCommon;
}

function wordsOf(query: string): Set<string> {
  return new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}

function repeatedText(name: string, count: number): string {
  return `Tool "${name}" was called with the same input ${count} times, and gave the same result each time. It was not run again: use that result, or try something else.`;
}

function searchedText(query: string): string {
  return `You already searched for a similar query: "${query}". Synthesize your answer from existing results.`;
}
