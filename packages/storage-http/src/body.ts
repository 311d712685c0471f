import { fileError } from '@utensil/core/files';
import { invalid } from './shape.ts';
import { joinBytes } from './protocol.ts';

/** Reads a request body up to a limit. Throws `EFBIG`, `EINVAL`. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const reader = request.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const next = await reader?.read().catch(() => {
      throw invalid('The request was truncated.');
    });
    if (next === undefined || next.done) return joinBytes(parts);
    parts.push(next.value);
    length += next.value.length;
    if (length <= limit) continue;
    reader?.cancel().catch(() => {});
    throw tooLarge(limit);
  }
}

function tooLarge(limit: number): Error {
  return fileError('EFBIG', '/', { hint: `A request may have at most ${limit} bytes.` });
}

/** Throws `EINVAL` unless the body has this type, which no cross-site form can send. */
export function refuseType(request: Request, type: string): void {
  const [sent = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (sent.trim().toLowerCase() !== type) throw invalid(`The content-type must be ${type}.`);
}
