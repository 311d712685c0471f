import { type Media, isMedia } from './media.ts';
import type { ContentPart, ResourceLinkPart, TextPart } from './message.ts';

const kinds: { readonly [Type in Media['type']]: string } = { image: 'Image', audio: 'Audio', file: 'File' };

/**
 * Describes, in one line, a part that a model cannot be shown: its kind, name, type, size and address. Fetches nothing.
 */
export function describePart(part: Exclude<ContentPart, TextPart>): string {
  return part.type === 'resource-link' ? describeLink(part) : describeMedia(part);
}

function describeMedia(part: Media): string {
  const { type, mediaType, data, url } = part;
  const kind = isMedia(part) ? kinds[type] : oneLine(type); // stored by a later version, perhaps
  const name = 'name' in part && part.name !== undefined ? ` ${quoted(part.name)}` : '';
  const details = inBrackets(mediaType, data === undefined ? undefined : bytesIn(data));
  return `[${kind}${name}${details}${placeOf(url)}, not shown to this model]`;
}

function describeLink({ uri, name, title, description, mediaType, size }: ResourceLinkPart): string {
  const titled = title === undefined || title === name ? '' : `, titled ${quoted(title)}`;
  const about = description === undefined ? '' : `: ${oneLine(description, 1_000)}`;
  return `[Resource link ${quoted(name)}${titled}${inBrackets(mediaType, size)}${placeOf(uri)}, not loaded${about}]`;
}

function inBrackets(mediaType: string | undefined, size: number | undefined): string {
  const known = [
    ...(mediaType === undefined ? [] : [oneLine(mediaType)]),
    ...(size !== undefined && Number.isSafeInteger(size) && size >= 0 ? [`${size} bytes`] : []),
  ];
  return known.length === 0 ? '' : ` (${known.join(', ')})`;
}

/** Number of bytes that a base64 text encodes. */
function bytesIn(data: string): number {
  return Math.floor((data.endsWith('=') ? data.length - (data.endsWith('==') ? 2 : 1) : data.length) * 0.75);
}

const longestAddress = 2_000;

/** An address with all non-address characters escaped. The data of a `data:` URL is not repeated. */
function placeOf(uri: string | undefined): string {
  if (uri === undefined) return '';
  const longest = /^data:/i.test(uri) ? 40 : longestAddress;
  const escaped = uri
    .slice(0, longest)
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .replaceAll(/[\p{C}\s]/gu, encodeURIComponent);
  return ` at ${escaped}${uri.length > longest ? `… (${uri.length} characters)` : ''}`;
}

function quoted(text: string): string {
  return JSON.stringify(oneLine(text));
}

/** Untrusted text on one line, bounded, without invisible characters and bidi controls. */
export function oneLine(text: string, longest = 200): string {
  const line = text
    .slice(0, longest)
    .replaceAll(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return text.length > longest ? `${line}…` : line;
}
