/** A fetch that tells how far its responses have come. */
export interface WatchedFetch {
  readonly fetch: typeof fetch;
  /** Settles when something is asked for. */
  readonly asked: Promise<void>;
  /** How many bytes of bodies have come. */
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
