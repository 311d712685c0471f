import type { FinishReason } from '@utensil/core';

/** Finish reasons of the API. It has none for calls: they end with `STOP`. */
export function toReason(reason: string): FinishReason {
  if (reason === 'STOP') return 'stop';
  if (reason === 'MAX_TOKENS' || reason === 'CONTINUATION') return 'length';
  return filters.test(reason) ? 'content-filter' : 'error';
}

/** Model Armor is a filter of the customer's own, on Vertex AI. */
const filters = /SAFETY|PROHIBITED|BLOCKLIST|RECITATION|LANGUAGE|SPII|MODEL_ARMOR|JAILBREAK/;
