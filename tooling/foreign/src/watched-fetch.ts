/** A `fetch` that reports the progress of its responses. */
export interface WatchedFetch {
  readonly fetch: typeof fetch;
  /** Resolves on the first request. */
  readonly asked: Promise<void>;
  /** Number of received bytes of bodies. */
  received(): number;
}

export function watchedFetch(): WatchedFetch {
  let received = 0;
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => (ask = resolve));
  return {
    async fetch(...question) {
      ask();
      const { body, status, headers } = await fetch(...question);
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          received += piece.length;
          controller.enqueue(piece);
        },
      });
      return new Response(body?.pipeThrough(counting) ?? null, { status, headers });
    },
    asked,
    received: () => received,
  };
}
