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
export function sseParser(): (text: string) => readonly ServerSentEvent[] {
  let event = '';
  let data: string[] = [];
  let line = '';
  let size = 0;
  let held = ''; // half of a line break

  function endLine(events: ServerSentEvent[]): void {
    if (line === '') {
      const whole = data.join('\n');
      if (whole !== '') events.push({ event, data: whole });
      event = '';
      data = [];
      size = 0;
    } else if (line.startsWith('data:')) data.push(valueOf(line));
    else if (line.startsWith('event:')) event = valueOf(line);
    line = '';
  }

  return function parse(added) {
    const text = held + added;
    held = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...lines] = text.slice(0, text.length - held.length).split(/\r\n?|\n/);
    const events: ServerSentEvent[] = [];
    line += first; // not searched again: an event may come in a thousand pieces
    size += text.length;
    if (size > longest) throw new RangeError(`An event of the answer has more than ${longest} characters.`);
    for (const next of lines) {
      endLine(events);
      line = next;
    }
    return events;
  };
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}
