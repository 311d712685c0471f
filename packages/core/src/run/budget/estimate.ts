import type { Message } from '../../model/message.ts';
import type { ModelInfo } from '../../model/model.ts';
import { noUsage } from '../../model/usage.ts';
import type { Usage } from '../../model/usage.ts';
import { estimateAll, estimateTokens } from '../history-view/estimate.ts';
import { withCost } from '../loop/limits.ts';
import type { RunInput } from '../loop/state.ts';
import { nothing } from './budget.ts';
import type { Spending } from './budget.ts';

/** A turn to be requested. */
export interface PlannedTurn {
  readonly messages: readonly Message[];
  readonly model: ModelInfo;
  readonly maxOutputTokens: number | undefined;
  /** True for the last turn at a limit: it ignores the run's limits, but not budgets. */
  readonly isLast: boolean;
}

/** Tokens reserved for an answer without a known maximum. */
const ordinaryAnswer = 4_096;

/**
 * Estimates the usage of a turn: the provider's count of the last turn, its answer, and the messages added since;
 * without one, the whole history by its length. Assumes no cache hits.
 */
export function estimateTurn({ messages, model, maxOutputTokens = ordinaryAnswer }: PlannedTurn): Usage {
  const index = messages.findLastIndex(({ usage }) => usage !== undefined && usage.inputTokens > 0);
  const { inputTokens, outputTokens, cost } = messages[index]?.usage ?? noUsage;
  const input = inputTokens + outputTokens + estimateAll(messages.slice(index + 1));
  const usage = withCost({ ...noUsage, inputTokens: input, outputTokens: maxOutputTokens }, model);
  return withDefaultCost(usage, cost); // the vendor's bill for the last turn
}

function withDefaultCost(usage: Usage, cost: number | undefined): Usage {
  return usage.cost === undefined && cost !== undefined ? { ...usage, cost } : usage;
}

/**
 * Usage of an attempt at a turn: the provider's count, or an estimate if there is none, or the turn was interrupted.
 */
export function spentBy(
  input: RunInput,
  {
    estimated,
    model,
    message,
  }: { readonly estimated: Usage; readonly model: ModelInfo; readonly message: Message | undefined },
): Spending {
  if (input.type === 'turn' && isCounted(input.usage)) return spendingOf(input.usage);
  if (message === undefined) return nothing;
  const { inputTokens, cost } = estimated;
  const guessed = withCost({ ...noUsage, inputTokens, outputTokens: estimateTokens(message) }, model);
  return spendingOf(withDefaultCost(guessed, cost));
}

function isCounted({ inputTokens, outputTokens, cost }: Usage): boolean {
  return inputTokens + outputTokens > 0 || cost !== undefined;
}

/** Usage in the units of budgets. Messages from elsewhere may carry any values. */
export function spendingOf({ inputTokens, outputTokens, cost = 0 }: Usage): Spending {
  return { tokens: amountOf(inputTokens) + amountOf(outputTokens), cost: amountOf(cost) };
}

function amountOf(value: number): number {
  return value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}
