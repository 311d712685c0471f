import type { FilePart, ImagePart, Registry, SourcePart } from '@utensil/core';
import { html } from 'lit';
import type { nothing, TemplateResult } from 'lit';
import '../markdown/markdown.ts';
import { addressOf, isOwnImage } from '../markdown/address.ts';
import { seen } from '../markdown/prose.ts';
import { icon } from '../value/icons.ts';
import type { CallView, ItemView, MessageView, Notice, Question } from '../view/index.ts';
import { texts } from './texts.ts';

type Shown = TemplateResult | typeof nothing;

/** How the pieces of a message are shown. */
export interface ItemShowing {
  readonly loadImages: boolean;
  /** For the approvals: where their tools are, and whether an answer can be remembered for always. */
  readonly registry: Pick<Registry, 'get'> | undefined;
  readonly canRemember: boolean;
  /** A call as it is shown, with what the registry knows of its tool. */
  callOf(call: CallView): CallView;
  /** What to do about a notice. */
  actionFor(notice: Notice): Shown;
}

/** The pieces of a message, in their order; sources together. */
export function itemsOf({ items, isStreaming, role }: MessageView, showing: ItemShowing): readonly Shown[] {
  const shown: Shown[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (item === undefined) continue;
    if (item.type !== 'source') {
      const isOpen = isStreaming === true && at === items.length - 1;
      shown.push(role === 'user' && item.type === 'text' ? userText(item.text) : itemOf(item, isOpen, showing));
      continue;
    }
    const sources: SourcePart[] = [];
    for (let next = items[at]; next?.type === 'source'; next = items[++at]) sources.push(next);
    at--;
    shown.push(sourcesOf(sources));
  }
  return shown;
}

function userText(text: string): Shown {
  return html`<p class="words" dir="auto">${seen(text)}</p>`;
}

function itemOf(item: Exclude<ItemView, SourcePart>, isOpen: boolean, showing: ItemShowing): Shown {
  switch (item.type) {
    case 'text':
      return html`<utensil-markdown
        dir="auto"
        .text=${item.text}
        .isStreaming=${isOpen}
        .loadImages=${showing.loadImages}
      ></utensil-markdown>`;
    case 'reasoning':
      return reasoning(item.text, isOpen);
    case 'call':
      return callOf(item.call, showing);
    case 'image':
      return imageOf(item);
    case 'file':
      return fileOf(item);
    case 'notice':
      return noticeView(item, showing.actionFor(item));
  }
}

function reasoning(text: string, isOpen: boolean): Shown {
  const line = isOpen ? '' : firstLine(text);
  return html`<details class="reasoning">
    <summary>
      ${icon('chevron')}<span>${isOpen ? texts.thinking : texts.thought}</span
      ><span class="line" dir="auto">${line}</span>
    </summary>
    <utensil-markdown dir="auto" .text=${text} .isStreaming=${isOpen}></utensil-markdown>
  </details>`;
}

function firstLine(text: string): string {
  const line = /\S[^\n]*/.exec(text.slice(0, 1_000))?.[0] ?? '';
  return seen(line.replaceAll(/[*_`#]/g, '').slice(0, 160));
}

function callOf(call: CallView, { registry, canRemember, callOf: known }: ItemShowing): Shown {
  return html`<utensil-call .call=${known(call)}></utensil-call>${questionsOf(call).map(
      (question) =>
        html`<utensil-approval
          .question=${question}
          .registry=${registry}
          .canRemember=${canRemember}
        ></utensil-approval>`,
    )}`;
}

/** What is asked about a call and those inside it. */
function questionsOf(call: CallView): readonly Question[] {
  return [...(call.question ? [call.question] : []), ...call.inner.flatMap(questionsOf)];
}

function imageOf({ mediaType, data, url }: ImagePart): Shown {
  const source = `data:${mediaType};base64,${data ?? ''}`;
  if (data !== undefined && isOwnImage(source)) return html`<img src=${source} alt=${texts.image} />`;
  const address = url === undefined ? undefined : addressOf(url);
  if (address === undefined) return html`<span class="chip">${texts.image} (${seen(mediaType)})</span>`;
  return html`<span class="chip"
    ><a href=${address.href} title=${texts.imageElsewhere} rel="noopener noreferrer nofollow" target="_blank"
      >${texts.image}: ${address.place}</a
    ></span
  >`;
}

function fileOf({ name, mediaType, data, url }: FilePart): Shown {
  const words = seen(name ?? texts.file);
  const address = url === undefined ? undefined : addressOf(url);
  const size = data === undefined ? '' : ` · ${sizeText(Math.floor(data.length * 0.75))}`;
  return html`<span class="chip"
    >${
      address === undefined
        ? words
        : html`<a href=${address.href} title=${address.place} rel="noopener noreferrer nofollow" target="_blank"
            >${words}</a
          >`
    }<span class="type">${seen(mediaType)}${size}</span></span
  >`;
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function sourcesOf(sources: readonly SourcePart[]): Shown {
  return html`<ul class="sources" aria-label=${texts.sources}>
    ${sources.map(({ url, title }) => {
      const address = addressOf(url);
      const words = seen(title ?? address?.place ?? url.slice(0, 80));
      return html`<li class="chip">
        ${
          address === undefined
            ? words
            : html`<a href=${address.href} title=${address.place} rel="noopener noreferrer nofollow" target="_blank"
                  >${words}</a
                ><span class="type">${address.place}</span>`
        }
      </li>`;
    })}
  </ul>`;
}

/** A notice with what can be done about it. */
export function noticeView({ kind, text }: Notice, action: Shown): Shown {
  const isBad = kind === 'error' || kind === 'refused';
  return html`<div class="notice ${isBad ? 'bad' : ''}">
    ${icon('warning')}<span dir="auto">${seen(text)}</span>${action}
  </div>`;
}
