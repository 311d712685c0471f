import { errorIn, jsonIn, statusOf } from './errors.ts';

/** The same response as the SDK understands it: a refusal has its status, and says in its body how long to wait. */
export async function spokenOut(response: Response): Promise<Response> {
  const { ok, status, headers } = response;
  const text = await response.text();
  const error = errorIn(jsonIn(text));
  if (ok) return new Response(text, { status: error === undefined ? status : (statusOf(error) ?? 502), headers });
  const wait = secondsIn(headers.get('retry-after') ?? '');
  const details = [error?.['details'] ?? [], { retryDelay: `${wait}s` }].flat(); // what Google says itself comes first
  return Response.json({ error: { message: text, ...error, details } }, { status });
}

/** A header has a number of seconds, or a date. */
function secondsIn(header: string): number {
  const seconds = Number(header);
  return Math.max(0, Number.isNaN(seconds) ? (Date.parse(header) - Date.now()) / 1_000 : seconds);
}
