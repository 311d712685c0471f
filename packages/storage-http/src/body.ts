import { fileError } from '@utensil/core/files';
import { invalid } from './shape.ts';
import { joinBytes } from './protocol.ts';

/** The body of a request, up to a limit. Throws `EFBIG`, `EINVAL`. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const reader = request.body?.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const next = await reader?.read().catch(() => {
      throw invalid('The request ended in its middle.');
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
  return fileError('EFBIG', '/', { hint: `A request may have ${limit} bytes here.` });
}

/** Throws `EINVAL` unless the body is of this type, which no form of another page can send. */
export function refuseType(request: Request, type: string): void {
  const [sent = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (sent.trim().toLowerCase() !== type) throw invalid(`The content-type here is ${type}.`);
}
