import { isObject } from '@utensil/core';
import { askedWait, errorIn, withStatus } from '@utensil/core/provider';
import { statusOf } from './judge.ts';

/** A response as the SDK understands it: a refusal has its status, and says in its body how long to wait. */
export async function speakOut(response: Response): Promise<Response> {
  if (response.ok) return withStatus(response, statusOf);
  const { status, headers } = response;
  const wait = askedWait(headers);
  const text = await response.text();
  const error = errorIn(text);
  const told = isObject(error) ? error : {};
  const asked = wait === undefined ? [] : { retryDelay: `${Math.max(0, wait) / 1_000}s` };
  const details = [told['details'] ?? [], asked].flat(); // what Google says itself comes first
  return Response.json({ error: { message: text, ...told, details } }, { status });
}
