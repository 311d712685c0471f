import type { decodeText } from '@utensil/core/files';

type Decoded = NonNullable<ReturnType<typeof decodeText>>;

/** A text with line feeds only, as form fields have it. */
export function editable(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Encodes an edited text like its file, preserving untouched parts including line breaks. */
export function storedAs(edited: string, { text, format }: Decoded): string | Uint8Array<ArrayBuffer> {
  const whole = withEndings(edited, text);
  if (format.encoding === 'utf-8') return format.bom ? `\ufeff${whole}` : whole;
  const bytes = new Uint8Array(2 + whole.length * 2);
  const view = new DataView(bytes.buffer);
  const isLittle = format.encoding === 'utf-16le';
  view.setUint16(0, 0xfeff, isLittle);
  for (let at = 0; at < whole.length; at++) view.setUint16(2 + at * 2, whole.charCodeAt(at), isLittle);
  return bytes;
}

/** Restores the original line breaks; new lines get the most frequent one. */
function withEndings(edited: string, text: string): string {
  if (!text.includes('\r')) return edited;
  const before = editable(text);
  const start = sharedStart(before, edited);
  const end = sharedEnd(before.slice(start), edited.slice(start));
  const changed = edited.slice(start, edited.length - end).replaceAll('\n', usualEnding(text));
  const whole = text.slice(0, placeIn(text, start)) + changed + text.slice(placeIn(text, before.length - end));
  return editable(whole) === edited ? whole : edited.replaceAll('\n', usualEnding(text)); // parts of two line breaks met
}

function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

function sharedEnd(a: string, b: string): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

function usualEnding(text: string): string {
  const endings = text.match(/\r\n?|\n/g) ?? [];
  const count = (ending: string): number => endings.filter((each) => each === ending).length;
  return ['\r\n', '\n', '\r'].toSorted((a, b) => count(b) - count(a))[0] ?? '\n';
}

/** Position in the original of a character in the editable text. */
function placeIn(text: string, editablePlace: number): number {
  let place = 0;
  for (let seen = 0; seen < editablePlace; seen++) place += text.startsWith('\r\n', place) ? 2 : 1;
  return place;
}
