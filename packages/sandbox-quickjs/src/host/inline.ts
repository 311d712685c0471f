import { serve } from '../worker/serve.ts';
import type { FromWorker } from '../worker/protocol.ts';
import type { Thread, ThreadListener } from './thread.ts';

/** A pseudo-thread that runs code on the caller's thread, where only QuickJS itself can terminate it. */
export function inlineThread(): Thread {
  let listener: ThreadListener | undefined;
  let isOver = false;
  const post = (message: FromWorker): void => {
    if (!isOver) listener?.message(message);
  };
  const handle = serve(post);
  return {
    post: (message) => void handle(message),
    listen: (next) => (listener = next),
    hold: () => undefined,
    terminate: () => (isOver = true),
  };
}
