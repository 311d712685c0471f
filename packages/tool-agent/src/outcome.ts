import { messageForModel } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';
import type { ReturnMode } from './return.ts';
import type { Done } from './work.ts';

/** What the tool stores of an agent's work; the model and people see it in words. */
export interface Outcome extends JsonObject {
  readonly agent: string;
  readonly status: string;
  /** What it returned, or its last words. */
  readonly answer: Json;
  /** Its last words beside what it returned. */
  readonly text: string;
  /** Why there is no answer, or what is to be known of it; empty: nothing. */
  readonly note: string;
  readonly failed: boolean;
  readonly steps: number;
  readonly tokens: number;
  /** In US dollars; null where nobody knows. */
  readonly cost: number | null;
}

/** What came of an agent's work, for the one who gave it. `notes`: what else is to be known. */
export function toOutcome(agent: string, done: Done, { returnMode, notes }: Reading): Outcome {
  const { status, text, returned, steps, usage } = done;
  const mayBeText = returnMode === 'no-return' || returnMode === 'both';
  const problem = problemOf(done, returnMode);
  const words = mayBeText || problem !== undefined ? text : '';
  return {
    agent,
    status,
    answer: returned === undefined ? words : returned.value,
    text: returned !== undefined && returnMode === 'both' ? text : '',
    note: [problem, limitOf(done), ...notes].filter((note) => note !== undefined).join(' '),
    failed: problem !== undefined,
    steps,
    tokens: usage.inputTokens + usage.outputTokens,
    cost: usage.cost ?? null,
  };
}

/** How what an agent said is read. */
interface Reading {
  readonly returnMode: ReturnMode;
  readonly notes: readonly string[];
}

function problemOf({ status, error, returned, complaint }: Done, returnMode: ReturnMode): string | undefined {
  if (status !== 'complete' && status !== 'limit')
    return `The agent failed (${status})${error === undefined ? '.' : `: ${messageForModel(error.message)}`}`;
  const mustReturn = returnMode === 'enforced' || returnMode === 'auto-enforced';
  if (mustReturn && returned === undefined) return 'The agent ended without a result.';
  return complaint === undefined ? undefined : `Its answer was not accepted: ${complaint}`;
}

function limitOf({ status, limit = 'steps' }: Done): string | undefined {
  return status === 'limit' ? `It reached its limit (${limit}), and may not be done.` : undefined;
}

/** What the model reads. */
export function outcomeText(output: Json, toolName: string): string {
  const { agent, answer, text, note } = output as Outcome;
  const parts = [
    note === '' ? '' : `[${note}]`,
    typeof answer === 'string' ? answer : JSON.stringify(answer, undefined, 2),
    text,
    `[Agent ${agent}. To go on with it: ${toolName} with "agent": ${JSON.stringify(agent)}.]`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** What it took, in one line. */
export function outcomeStatus(output: Json): string {
  const { failed, steps, tokens, cost } = output as Outcome;
  const parts = [
    failed ? 'failed' : undefined,
    `${steps} ${steps === 1 ? 'step' : 'steps'}`,
    `${tokens.toLocaleString('en')} tokens`,
    cost === null ? undefined : `$${cost.toFixed(4)}`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** What a person sees: a card of the app's, by its `type`. */
export function outcomeCard(output: Json): Json {
  return { type: 'agent', ...(output as Outcome) };
}
