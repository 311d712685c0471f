import { fileError } from '@utensil/core/files';
import { announce } from './announce.ts';
import type { AnswerTo } from './reading.ts';

/** Limits for watchers. */
export interface WatchingOptions {
  readonly maxWatchers?: number;
  readonly heartbeatMs?: number;
  readonly maxWatchMs?: number;
  readonly signal?: AbortSignal;
}

/** Reports changes in streaming responses. */
export function createWatching(options: WatchingOptions): AnswerTo {
  const { maxWatchers = 1000, heartbeatMs = 15_000, maxWatchMs = 3_600_000, signal } = options;
  let watchers = 0;

  return async function answerWatch({ request, driver, access }) {
    if (watchers >= maxWatchers || signal?.aborted === true)
      throw fileError('EBUSY', '/', { hint: 'The server has too many watchers: try again later.', retryable: true });
    const stream = announce(driver, {
      heartbeatMs,
      maxWatchMs,
      isVisible: ({ tree }) => tree === 'files' || access.records === true,
      signals: signal === undefined ? [request.signal] : [request.signal, signal],
      onEnd: () => void watchers--,
    });
    watchers++;
    return new Response(stream, { headers: { 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' } });
  };
}
