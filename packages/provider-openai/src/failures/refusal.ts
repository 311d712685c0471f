import { isObject } from '@utensil/core';
import { spokenOut } from '@utensil/core/provider';

/** A response as the SDK understands it. */
export function speakOut(response: Response): Promise<Response> {
  return spokenOut(response, { statusOf, stop: ['x-should-retry', 'false'] });
}

function statusOf(error: unknown): number | undefined {
  const code = Number(isObject(error) ? (error['code'] ?? error['status']) : undefined);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;
}
