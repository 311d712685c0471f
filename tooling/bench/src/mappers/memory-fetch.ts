/** Response to every request of {@link memoryFetch}. */
export interface MemoryAnswer {
  readonly events: readonly string[];
  readonly contentType: string;
  /** Events are merged into chunks of this many bytes; 0: one event per chunk. */
  readonly pieceBytes: number;
}

/** A `fetch` that answers from memory, and keeps the last request body. */
export interface MemoryFetch {
  readonly fetch: typeof fetch;
  lastBody(): Promise<string>;
}

/** Creates a server without a connection, so that only the reader is measured. */
export function memoryFetch({ events, contentType, pieceBytes }: MemoryAnswer): MemoryFetch {
  const pieces = piecesOf(events, pieceBytes);
  let last: Parameters<typeof fetch> = [''];
  return {
    async fetch(...question) {
      last = question;
      return new Response(streamOf(pieces), { headers: { 'content-type': contentType } });
    },
    async lastBody() {
      const [input, init] = last;
      return input instanceof Request ? input.text() : String(init?.body);
    },
  };
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[sent++];
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}

function piecesOf(events: readonly string[], pieceBytes: number): readonly Uint8Array[] {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let text = '';
  for (const event of events) {
    text += event;
    if (text.length < pieceBytes) continue;
    pieces.push(encoder.encode(text));
    text = '';
  }
  return text === '' ? pieces : [...pieces, encoder.encode(text)];
}
