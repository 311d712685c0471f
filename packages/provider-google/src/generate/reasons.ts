import type { FinishReason } from '@utensil/core';

/** What a reason of the API means. It has none for calls: `STOP` is what it says of them. */
export function toReason(reason: string): FinishReason {
  if (reason === 'STOP') return 'stop';
  if (reason === 'MAX_TOKENS' || reason === 'CONTINUATION') return 'length';
  return filters.test(reason) ? 'content-filter' : 'error';
}

/** Model Armor is a filter of the customer's own, on Vertex AI. */
const filters = /SAFETY|PROHIBITED|BLOCKLIST|RECITATION|LANGUAGE|SPII|MODEL_ARMOR|JAILBREAK/;
