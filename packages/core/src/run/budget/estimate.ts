import type { Message } from '../../model/message.ts';
import type { ModelInfo } from '../../model/model.ts';
import { noUsage } from '../../model/usage.ts';
import type { Usage } from '../../model/usage.ts';
import { estimateAll, estimateTokens } from '../history-view/estimate.ts';
import { withCost } from '../loop/limits.ts';
import type { RunInput } from '../loop/state.ts';
import { nothing } from './budget.ts';
import type { Spending } from './budget.ts';

/** A turn that is to be asked for. */
export interface PlannedTurn {
  readonly messages: readonly Message[];
  readonly model: ModelInfo;
  readonly maxOutputTokens: number | undefined;
  /** The last one at a limit: limits of the run do not hold for it, budgets do. */
  readonly isLast: boolean;
}

/** Tokens that are set aside for an answer of which no maximum is known. */
const ordinaryAnswer = 4_096;

/**
 * About what a turn will take: what the provider counted for the last one, its answer and what has come since; all of the
 * history by its length where there was none. Nothing is taken for cached.
 */
export function estimateTurn({ messages, model, maxOutputTokens = ordinaryAnswer }: PlannedTurn): Usage {
  const index = messages.findLastIndex(({ usage }) => usage !== undefined && usage.inputTokens > 0);
  const { inputTokens, outputTokens, cost } = messages[index]?.usage ?? noUsage;
  const input = inputTokens + outputTokens + estimateAll(messages.slice(index + 1));
  const usage = withCost({ ...noUsage, inputTokens: input, outputTokens: maxOutputTokens }, model);
  return usage.cost === undefined && cost !== undefined ? { ...usage, cost } : usage; // as the vendor billed the last one
}

/** What an attempt at a turn took: as the provider counted it; estimated where it does not count, or was cut short. */
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
  const { inputTokens } = estimated;
  const guessed = withCost({ ...noUsage, inputTokens, outputTokens: estimateTokens(message) }, model);
  return spendingOf(
    guessed.cost === undefined && estimated.cost !== undefined ? { ...guessed, cost: estimated.cost } : guessed,
  );
}

function isCounted({ inputTokens, outputTokens, cost }: Usage): boolean {
  return inputTokens + outputTokens > 0 || cost !== undefined;
}

/** Usage, as budgets count it; messages of others may have any. */
export function spendingOf({ inputTokens, outputTokens, cost = 0 }: Usage): Spending {
  return { tokens: amountOf(inputTokens) + amountOf(outputTokens), cost: amountOf(cost) };
}

function amountOf(value: number): number {
  return value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
}
