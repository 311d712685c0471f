/** https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Maximum characters of an event: one with a picture has a few million. */
const longest = 2 ** 26;

/**
 * Parses server-sent events from chunks of text, cut anywhere. Each call returns the events that it completes; events without
 * data are skipped. Throws a `RangeError` at an event that is too long.
 */
export function sseParser(): (text: string) => ServerSentEvent[] {
  let event = '';
  let data: string | undefined;
  let line = '';
  let size = 0;
  let held = ''; // half of a line break

  return function parse(added) {
    const text = held + added;
    held = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...lines] = text.slice(0, text.length - held.length).split(/\r\n?|\n/);
    const events: ServerSentEvent[] = [];
    line += first; // not searched again: an event may come in a thousand pieces
    size += text.length;
    if (size > longest) throw new RangeError(`An event of the answer has more than ${longest} characters.`);
    for (const next of lines) {
      if (line.startsWith('data:')) data = (data === undefined ? '' : `${data}\n`) + valueOf(line);
      else if (line.startsWith('event:')) event = valueOf(line);
      else if (line === '') {
        if (data) events.push({ event, data });
        event = '';
        data = undefined;
        size = 0;
      }
      line = next;
    }
    return events;
  };
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}
