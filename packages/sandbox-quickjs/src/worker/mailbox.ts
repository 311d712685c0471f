/** Shared memory through which the host answers a blocked worker. */
export type Mailbox = SharedArrayBuffer;

/** Size of one piece of an answer, in bytes. */
const pieceBytes = 256 * 1024;

/** Header: whether there is a piece, its length, and whether another one follows. */
const [full, length, more, headNumbers] = [0, 1, 2, 3];

/** Undefined if memory cannot be shared: in pages without cross-origin isolation. */
export function createMailbox(): Mailbox | undefined {
  const isRefused =
    'crossOriginIsolated' in globalThis ? !globalThis.crossOriginIsolated : typeof SharedArrayBuffer === 'undefined';
  return isRefused ? undefined : new SharedArrayBuffer(headNumbers * 4 + pieceBytes);
}

function partsOf(mailbox: Mailbox): { readonly head: Int32Array; readonly bytes: Uint8Array } {
  return { head: new Int32Array(mailbox, 0, headNumbers), bytes: new Uint8Array(mailbox, headNumbers * 4) };
}

/** Host side: writes one piece and wakes the worker. Returns the remaining bytes. */
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

/** Worker side: asks, and blocks until the whole answer has arrived. `askMore` requests the next piece. */
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
