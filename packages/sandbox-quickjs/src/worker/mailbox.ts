/** Memory that a worker and its host share, by which a worker that waits is answered. */
export type Mailbox = SharedArrayBuffer;

/** Bytes of one piece of an answer. */
const pieceBytes = 256 * 1024;

/** Numbers before the bytes: whether there is a piece, how long it is, and whether another one follows. */
const [full, length, more, headNumbers] = [0, 1, 2, 3];

/** Undefined where the platform lets nobody share memory: in pages that are not isolated from other origins. */
export function createMailbox(): Mailbox | undefined {
  const isRefused =
    'crossOriginIsolated' in globalThis ? !globalThis.crossOriginIsolated : typeof SharedArrayBuffer === 'undefined';
  return isRefused ? undefined : new SharedArrayBuffer(headNumbers * 4 + pieceBytes);
}

function partsOf(mailbox: Mailbox): { readonly head: Int32Array; readonly bytes: Uint8Array } {
  return { head: new Int32Array(mailbox, 0, headNumbers), bytes: new Uint8Array(mailbox, headNumbers * 4) };
}

/** The host's side: puts one piece in, and wakes the worker. Gives what is left for the next time. */
export function putPiece(mailbox: Mailbox, answer: Uint8Array): Uint8Array {
  const { head, bytes } = partsOf(mailbox);
  const piece = answer.subarray(0, pieceBytes);
  const rest = answer.subarray(pieceBytes);
  bytes.set(piece);
  head[length] = piece.length;
  head[more] = rest.length > 0 ? 1 : 0;
  Atomics.store(head, full, 1);
  Atomics.notify(head, full);
  return rest;
}

/** The worker's side: asks, and waits for the whole answer. `askMore` asks for the next piece. */
export function awaitAnswer(mailbox: Mailbox, ask: () => void, askMore: () => void): string {
  const { head, bytes } = partsOf(mailbox);
  const decoder = new TextDecoder();
  let text = '';
  for (let next = ask; ; next = askMore) {
    Atomics.store(head, full, 0);
    next();
    Atomics.wait(head, full, 0);
    const isLast = head[more] === 0;
    text += decoder.decode(bytes.slice(0, head[length]), { stream: !isLast });
    if (isLast) return text;
  }
}
