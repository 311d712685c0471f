import type { ImagePart, Registry, SourcePart } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import '../markdown/markdown.ts';
import { image } from '../call/content.ts';
import { addressOf } from '../markdown/address.ts';
import { seen } from '../markdown/prose.ts';
import type { Texts } from '../texts/texts.ts';
import { icon } from '../value/icons.ts';
import { resourceLink } from '../value/resource-link.ts';
import type { CallView, ItemView, MessageView, Notice, Question } from '../view/index.ts';
import { audioOf, fileOf } from './file.ts';

/** Longer user texts are truncated. */
const longestText = 20_000;

type Shown = TemplateResult | typeof nothing;

/** Context for rendering the parts of a message. */
export interface ItemShowing {
  readonly texts: Texts;
  readonly loadImages: boolean;
  /** For approvals: registry of the tools, and whether an answer can be remembered. */
  readonly registry: Pick<Registry, 'get'> | undefined;
  readonly canRemember: boolean;
  /** True if running calls can be cancelled. */
  readonly canCancel: boolean;
  /** The call to show, completed with its tool's registration. */
  callOf(call: CallView): CallView;
}

/** A rendered part, whose key does not depend on hidden parts before it. */
interface ShownItem {
  readonly key: number;
  readonly shown: Shown;
}

/** Parts of a message from an index on, in order, with sources combined. */
export function itemsOf({ items, isStreaming, role }: MessageView, from: number, showing: ItemShowing): Shown {
  const all: ShownItem[] = [];
  for (let at = from; at < items.length; at++) {
    const item = items[at];
    if (item === undefined) continue;
    const key = at;
    if (item.type !== 'source') {
      const isOpen = isStreaming === true && at === items.length - 1;
      all.push({
        key,
        shown:
          role === 'user' && item.type === 'text'
            ? userText(item.text, showing.texts.thread)
            : itemOf(item, isOpen, showing),
      });
      continue;
    }
    const sources: SourcePart[] = [];
    for (let next = items[at]; next?.type === 'source'; next = items[++at]) sources.push(next);
    at--;
    all.push({ key, shown: sourcesOf(sources, showing.texts.thread) });
  }
  return html`${repeat(
    all,
    ({ key }) => key,
    ({ shown }) => shown,
  )}`;
}

/** Questions about calls before an index, which are hidden themselves. */
export function askedBefore({ items }: MessageView, before: number, showing: ItemShowing): readonly Shown[] {
  return items.slice(0, before).flatMap((item) => (item.type === 'call' ? approvalsOf(item.call, showing) : []));
}

function userText(text: string, texts: Texts['thread']): Shown {
  if (text.length > longestText)
    return html`<utensil-value class="long" .value=${text} label=${texts.user}></utensil-value>`;
  return html`<p class="words" dir="auto">${seen(text)}</p>`;
}

function itemOf(item: Exclude<ItemView, SourcePart>, isOpen: boolean, showing: ItemShowing): Shown {
  const { texts } = showing;
  switch (item.type) {
    case 'text':
      return html`<utensil-markdown
        dir="auto"
        .text=${item.text}
        .isStreaming=${isOpen}
        .loadImages=${showing.loadImages}
      ></utensil-markdown>`;
    case 'reasoning':
      return reasoning(item.text, isOpen, texts.thread);
    case 'call':
      return callOf(item.call, showing);
    case 'image':
      return imageOf(item, texts);
    case 'audio':
      return audioOf(item, texts);
    case 'file':
      return fileOf(item, texts);
    case 'resource-link':
      return resourceLink(item, texts);
    case 'notice':
      return nothing; // shown once, below the message
  }
}

function reasoning(text: string, isOpen: boolean, texts: Texts['thread']): Shown {
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

function callOf(call: CallView, showing: ItemShowing): Shown {
  return html`<utensil-call
      .call=${showing.callOf(call)}
      .category=${showing.registry?.get(call.name)?.ui?.category}
      .canCancel=${showing.canCancel}
    ></utensil-call
    >${approvalsOf(call, showing)}`;
}

function approvalsOf(call: CallView, { registry, canRemember }: ItemShowing): readonly Shown[] {
  return questionsOf(call).map(
    (question) =>
      html`<utensil-approval
        .question=${question}
        .registry=${registry}
        .canRemember=${canRemember}
      ></utensil-approval>`,
  );
}

/** Questions about a call and its nested calls. */
function questionsOf(call: CallView): readonly Question[] {
  return [...(call.question ? [call.question] : []), ...call.inner.flatMap(questionsOf)];
}

function imageOf({ mediaType, data, url }: ImagePart, { call, thread: texts }: Texts): Shown {
  const own = data === undefined ? undefined : image({ type: 'image', mediaType, data }, call);
  if (own !== undefined) return own;
  const address = url === undefined ? undefined : addressOf(url);
  if (address === undefined) return html`<span class="chip">${texts.image} (${seen(mediaType)})</span>`;
  return html`<span class="chip"
    ><a href=${address.href} title=${texts.imageElsewhere} rel="noopener noreferrer nofollow" target="_blank"
      >${texts.image}: ${address.place}</a
    ></span
  >`;
}

function sourcesOf(sources: readonly SourcePart[], texts: Texts['thread']): Shown {
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

/** A notice with its actions. */
export function noticeView({ kind, text, details }: Notice, action: Shown, texts: Texts['thread']): Shown {
  const isBad = kind === 'error' || kind === 'refused';
  return html`<div class="notice ${isBad ? 'bad' : ''}">
    ${icon('warning')}<span dir="auto">${seen(text)}</span>${action}
    ${
      details === undefined
        ? nothing
        : html`<details>
            <summary>${texts.details}</summary>
            <p dir="auto">${seen(details)}</p>
          </details>`
    }
  </div>`;
}
