import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { type ContentPart, UtensilError } from '@utensil/core';

/** Maximum bytes of standard input to send with a request: about the context of a small model. */
const mostPipedBytes = 256 * 1024;

/** Maximum time to wait for a pipe left open, such as a CI runner's. */
const firstByteMs = 3_000;

/** Standard input of a process. */
export type Input = Readable & { readonly fd?: number };

/** True if input was piped or redirected: a terminal, `/dev/null` and a closed input provide none. */
export function isPiped({ fd = 0 }: Input): boolean {
  try {
    const found = fstatSync(fd);
    return found.isFIFO() || found.isFile() || found.isSocket();
  } catch {
    return false; // closed
  }
}

/** Waits for the first byte. False if there is none: the input is empty, or silent for too long. */
export async function hasInput(input: Input, patient = false): Promise<'some' | 'none' | 'silent'> {
  return new Promise((resolve) => {
    const timer = patient ? undefined : setTimeout(() => settle('silent'), firstByteMs);
    function settle(found: 'some' | 'none' | 'silent'): void {
      clearTimeout(timer);
      input.off('readable', look).off('end', none).off('error', none);
      resolve(found);
    }
    const none = (): void => settle('none');
    const look = (): void => {
      const chunk: unknown = input.read();
      if (chunk === null) return; // at the end, or no data yet
      input.unshift(chunk);
      settle('some');
    };
    input.on('readable', look).on('end', none).on('error', none);
  });
}

/** Reads all input as an attachment. Throws `invalid_input` if it is not text, or too long. */
export async function readPiped(input: Input): Promise<ContentPart | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk as Uint8Array));
    size += chunks.at(-1)?.length ?? 0;
    if (size > mostPipedBytes) throw refused(`has more than ${mostPipedBytes / 1024} KiB`);
  }
  const bytes = Buffer.concat(chunks);
  if (textIn(bytes).trim() === '') return undefined;
  return { type: 'file', mediaType: 'text/plain', name: 'stdin.txt', data: bytes.toString('base64') };
}

function textIn(bytes: Buffer): string {
  if (!bytes.includes(0)) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // not text
    }
  }
  throw refused('is not text in UTF-8');
}

function refused(why: string): UtensilError {
  return new UtensilError(
    'invalid_input',
    `The standard input ${why}: put it into a file in the folder, and name the file in the request.`,
  );
}
