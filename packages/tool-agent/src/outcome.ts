import { messageForModel } from '@utensil/core';
import type { Json, JsonObject } from '@utensil/core';
import type { ReturnMode } from './return.ts';
import type { Done } from './work.ts';

/** Stored result of an agent's work; the model and people see it as text. */
export interface Outcome extends JsonObject {
  readonly agent: string;
  readonly status: string;
  /** Returned value, or final text. */
  readonly answer: Json;
  /** Final text next to a returned value. */
  readonly text: string;
  /** Reason for a missing answer, or a remark on it; empty if there is none. */
  readonly note: string;
  readonly failed: boolean;
  readonly steps: number;
  readonly tokens: number;
  /** In US dollars; null if unknown. */
  readonly cost: number | null;
}

/** Result of an agent's work for its caller. `notes`: additional remarks. */
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

/** Rules for reading an agent's result. */
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
  return status === 'limit' ? `It reached its limit (${limit}) and may be incomplete.` : undefined;
}

/** Text for the model. */
export function outcomeText(output: Json, toolName: string): string {
  const { agent, answer, text, note } = output as Outcome;
  const parts = [
    note === '' ? '' : `[${note}]`,
    typeof answer === 'string' ? answer : JSON.stringify(answer, undefined, 2),
    text,
    `[Agent ${agent}. To continue it: ${toolName} with "agent": ${JSON.stringify(agent)}.]`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Cost and duration in one line. */
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

/** Card for people, by its `type`. */
export function outcomeCard(output: Json): Json {
  return { type: 'agent', ...(output as Outcome) };
}
