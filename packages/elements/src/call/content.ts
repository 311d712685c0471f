import type { ContentPart } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { isHarmlessImage } from '../value/harmless.ts';
import type { Texts } from '../texts/texts.ts';
import '../value/recording.ts';
import { resourceLink } from '../value/resource-link.ts';
import { shown } from '../value/shown.ts';

const base64 = /^[A-Za-z0-9+/=\s]*$/;

/** Renders a part that the model saw. Loads nothing from the network. */
export function contentPart(part: ContentPart, texts: Texts): TemplateResult {
  const { call } = texts;
  switch (part.type) {
    case 'text':
      return html`<utensil-value .value=${part.text} label=${call.modelSaw}></utensil-value>`;
    case 'file':
    case 'audio':
      return html`<p class="muted">${shown(call[part.type](bounded(part.name ?? ''), bounded(part.mediaType)))}</p>
        ${part.type === 'audio' ? html`<utensil-recording .audio=${part}></utensil-recording>` : nothing}`;
    case 'resource-link':
      return resourceLink(part, texts);
    case 'image':
      return image(part, call) ?? html`<p class="muted">${call.imageElsewhere} ${shown(part.url ?? '')}</p>`;
  }
}

/** Renders content next to the value of a result: embedded images and audio, and links. */
export function beside(part: ContentPart, texts: Texts): TemplateResult | typeof nothing {
  if (part.type === 'image') return image(part, texts.call) ?? nothing;
  return part.type === 'audio' || part.type === 'resource-link' ? contentPart(part, texts) : nothing;
}

function bounded(text: string): string {
  return text.slice(0, 200);
}

/** The image, if it is embedded. */
export function image(
  { mediaType, data }: Extract<ContentPart, { readonly type: 'image' }>,
  texts: Texts['call'],
): TemplateResult | undefined {
  if (data === undefined || !isHarmlessImage(mediaType) || !base64.test(data)) return undefined;
  return html`<img src="data:${mediaType};base64,${data}" alt=${texts.image(mediaType)} loading="lazy" />`;
}
