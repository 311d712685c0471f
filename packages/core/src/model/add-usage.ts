import type { Message } from './message.ts';
import { noUsage } from './usage.ts';
import type { Usage } from './usage.ts';

/** Sum of the usage of two turns. */
export function addUsage(a: Usage, b: Usage): Usage {
  const audio = (a.audioInputTokens ?? 0) + (b.audioInputTokens ?? 0);
  const hasCost = a.cost !== undefined || b.cost !== undefined;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    ...(audio > 0 && { audioInputTokens: audio }),
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...(hasCost && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
  };
}

/** Usage of all turns among these messages. */
export function totalUsage(messages: readonly Message[]): Usage {
  return messages.reduce((sum, { usage }) => (usage === undefined ? sum : addUsage(sum, usage)), noUsage);
}
