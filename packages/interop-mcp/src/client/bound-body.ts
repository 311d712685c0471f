/**
 * A response whose body fails once a message exceeds the limit. An event stream may be endless: there the limit applies
 * to each event.
 */
export function boundBody(response: Response, maxBytes: number): Response {
  const { body, status, statusText, headers } = response;
  if (body === null || status < 200 || (status >= 300 && status < 400)) return response;
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const bounded = body.pipeThrough(isStream ? boundEvents(maxBytes) : boundAll(maxBytes));
  return new Response(bounded, { status, statusText, headers });
}

function tooLarge(maxBytes: number): Error {
  return new Error(`The server sent a message of more than ${maxBytes} bytes.`);
}

function boundAll(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(tooLarge(maxBytes));
      else controller.enqueue(chunk);
    },
  });
}

const newline = 10;
const carriageReturn = 13;

/** Counts from one empty line to the next. */
function boundEvents(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        length++;
        if (byte === newline && isLineEmpty) length = 0;
        else if (byte !== carriageReturn) isLineEmpty = byte === newline;
        if (length > maxBytes) return controller.error(tooLarge(maxBytes));
      }
      controller.enqueue(chunk);
    },
  });
}
