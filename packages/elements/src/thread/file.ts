import { decodeText } from '@utensil/core/files';
import type { AudioPart, FilePart } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { addressOf } from '../markdown/address.ts';
import { isMisleading } from '../markdown/misleading.ts';
import { seen } from '../markdown/prose.ts';
import type { Texts } from '../texts/texts.ts';
import { icon } from '../value/icons.ts';
import '../value/recording.ts';
import { saveFile } from '../value/save.ts';
import '../value/value.ts';

/** Longer base64 texts are not displayed, only offered for download. */
const longestText = 1_400_000;

/** Renders a file with its name, type and size: a text expands to its content, other files can be saved. */
export function fileOf(part: FilePart, texts: Texts): TemplateResult {
  const { name = texts.thread.file, data } = part;
  const text = textIn(part);
  if (data === undefined || text === undefined) return chip(part, texts);
  return html`<details class="file">
    <summary class="chip">
      ${icon('chevron')}<span>${seen(name)}</span><bdi class="type">${texts.formats.bytes(bytesIn(data))}</bdi>
    </summary>
    <utensil-value .value=${text} label=${seen(name)} filename=${seen(name)}></utensil-value>
  </details>`;
}

/** Renders audio with a player, if it can be played. */
export function audioOf(part: AudioPart, texts: Texts): TemplateResult {
  return html`<utensil-recording .audio=${part}></utensil-recording>${chip(part, texts)}`;
}

function chip(file: FilePart | AudioPart, { formats, thread: texts }: Texts): TemplateResult {
  const { name = file.type === 'audio' ? texts.audio : texts.file, mediaType, data, url } = file;
  const address = url === undefined ? undefined : addressOf(url);
  const size = data === undefined ? '' : ` · ${formats.bytes(bytesIn(data))}`;
  return html`<span class="chip"
    >${
      address === undefined
        ? seen(name)
        : html`<a href=${address.href} title=${address.place} rel="noopener noreferrer nofollow" target="_blank"
              >${seen(name)}</a
            >${isMisleading(name, address) ? html`<span class="type">${address.place}</span>` : nothing}`
    }<bdi class="type">${seen(mediaType)}${size}</bdi>${
      data === undefined
        ? nothing
        : html`<button class="plain" aria-label="${texts.download}: ${seen(name)}" @click=${() => download(data, name)}>
            ${texts.download}
          </button>`
    }</span
  >`;
}

function textIn({ mediaType, data }: FilePart): string | undefined {
  if (data === undefined || data.length > longestText || !mediaType.startsWith('text/')) return undefined;
  try {
    return decodeText(bytesOf(data))?.text;
  } catch {
    return undefined; // invalid base64
  }
}

function bytesIn(data: string): number {
  return Math.floor(data.replace(/=+$/, '').length * 0.75);
}

function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
}

/** Generic type, so that nothing opens it automatically. */
function download(data: string, name: string): void {
  saveFile(new Blob([bytesOf(data)], { type: 'application/octet-stream' }), seen(name));
}
