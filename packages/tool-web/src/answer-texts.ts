import type { Json } from '@utensil/core';
import type { Answer } from './answer-provider.ts';
import { cleanLine } from './clean.ts';

/** Text for a failed question. */
export function unansweredText(why: string): string {
  return `Asking the web failed: ${why}`;
}

/** One-line status of a question. */
export function statusOf(output: Json): string {
  const answer = answerIn(output);
  return answer === undefined ? cleanLine(String(output)) : `Answered from ${answer.sources.length} sources`;
}

/** An answer with numbered sources, as it cites them. */
export function answerText(output: Json): string {
  const answer = answerIn(output);
  if (answer === undefined) return String(output);
  const sources = answer.sources.map(({ title, url }, index) =>
    [`[${index + 1}]`, title, url].filter((part) => part !== undefined && part !== '').join(' '),
  );
  return sources.length === 0 ? answer.text : `${answer.text}\n\nSources:\n${sources.join('\n')}`;
}

function answerIn(output: Json): Answer | undefined {
  const isAnswer = typeof output === 'object' && output !== null && 'sources' in output;
  return isAnswer ? (output as unknown as Answer) : undefined;
}
