import type { Json, JsonObject } from '@utensil/core';
import { isShownWhole } from '../call/details.ts';
import type { Texts } from '../texts/texts.ts';
import { hasUnseen, mixedWord } from '../value/visible.ts';

/** Maximum characters to check for hidden content; longer texts get a warning instead. */
const mostLooked = 200_000;

/** Warnings for a person before they allow an input, one sentence each, about the input and the texts shown with it. */
export function warningsOf(input: JsonObject, beside: readonly Json[], texts: Texts['approval']): readonly string[] {
  const all = [input, ...beside].flatMap(textsIn);
  const looked = all.map((text) => text.slice(0, mostLooked));
  const mixed = looked.map(mixedWord).find((word) => word !== undefined);
  return [
    ...(looked.some(hasUnseen) ? [texts.unseen] : []),
    ...(mixed === undefined ? [] : [texts.mixed(mixed)]),
    ...(isShownWhole(input) ? [] : [texts.long]),
  ];
}

const [mostSources, mostOfSource] = [5, 100];

/** Sources of outside content that a run has read, in one line. */
export function sourcesOf(taintedBy: readonly string[]): string {
  const some = taintedBy.slice(0, mostSources).map((source) => source.slice(0, mostOfSource));
  return [...some, ...(taintedBy.length > mostSources ? ['…'] : [])].join(', ');
}

/** All texts in a value, including member names. */
function textsIn(value: Json): readonly string[] {
  const texts: string[] = [];
  const waiting: Json[] = [value]; // iterative, because model output may be nested deeply
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') texts.push(next);
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, item] of Object.entries(next)) {
      texts.push(name);
      waiting.push(item);
    }
  }
  return texts;
}
