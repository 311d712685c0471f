import { serve } from '../worker/serve.ts';
import type { FromWorker } from '../worker/protocol.ts';
import type { Thread, ThreadListener } from './thread.ts';

/** A thread that is none: the code runs on the caller's own, and nobody can end what QuickJS does not end itself. */
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
