import { isUtensilError } from '@utensil/core';
import type { Deadline } from './deadline.ts';
import { failed, tooLarge } from './refusal.ts';

interface BodyGuard {
  readonly url: URL;
  readonly maxBytes: number;
  /** Ended with the body. */
  readonly deadline: Deadline;
}

/** A body whose read may fail. */
export interface GuardedBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The reason of the failure, if any. */
  problem(): unknown;
}

/** Limits a body: reading fails beyond the size limit or the time limit. */
export function guardBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { url, maxBytes, deadline }: BodyGuard,
): GuardedBody {
  const reader = body.getReader();
  let left = maxBytes;
  let problem: unknown;

  /** Delivers only the part of an oversized chunk that fits, and fails on the next pull. */
  async function pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): Promise<void> {
    if (left < 0) throw tooLarge(url, maxBytes);
    const { done, value } = await deadline.race(reader.read());
    if (done) {
      deadline.end();
      return controller.close();
    }
    const fitting = value.subarray(0, left);
    left -= value.length;
    if (left < 0 && fitting.length === 0) throw tooLarge(url, maxBytes);
    controller.enqueue(fitting);
  }

  async function cancel(reason: unknown): Promise<void> {
    deadline.end();
    await reader.cancel(reason);
  }

  function toProblem(error: unknown): unknown {
    if (deadline.signal.aborted) return deadline.signal.reason;
    return isUtensilError(error) ? error : failed(url, 'closed the connection in the middle of its response.', error);
  }

  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      try {
        await pull(controller);
      } catch (error) {
        problem = toProblem(error);
        void cancel(problem).catch(() => {});
        throw problem;
      }
    },
    cancel,
  };
  return { stream: new ReadableStream(source, { highWaterMark: 0 }), problem: () => problem };
}
