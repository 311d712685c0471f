/** A server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export interface Message {
  readonly event: string;
  readonly data: string;
}

/** In characters: a picture in an event has a few millions. */
const longest = 2 ** 26;

/** Parses server-sent events from texts in which they are cut anywhere. Returns those that a text completes, without those that have no data. */
export function sseParser(): (text: string) => readonly Message[] {
  let event = '';
  let data: string[] = [];
  let line = '';
  let size = 0;
  let held = ''; // half of a line break

  function endLine(messages: Message[]): void {
    if (line === '') {
      const whole = data.join('\n');
      if (whole !== '') messages.push({ event, data: whole });
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
    const messages: Message[] = [];
    line += first; // not searched again: an event may come in a thousand pieces
    size += text.length;
    if (size > longest) throw new RangeError(`An event of the answer has more than ${longest} characters.`);
    for (const next of lines) {
      endLine(messages);
      line = next;
    }
    return messages;
  };
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}
