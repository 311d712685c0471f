import type { ContentPart } from '@utensil/core';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { isHarmlessImage } from '../value/harmless.ts';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';

const base64 = /^[A-Za-z0-9+/=\s]*$/;

/** A part of what the model saw. Nothing is loaded from a network. */
export function contentPart(part: ContentPart, texts: Texts['call']): TemplateResult {
  if (part.type === 'text') return html`<utensil-value .value=${part.text} label=${texts.modelSaw}></utensil-value>`;
  if (part.type === 'file') return html`<p class="muted">${shown(texts.file(part.name ?? '', part.mediaType))}</p>`;
  return image(part, texts) ?? html`<p class="muted">${texts.imageElsewhere} ${shown(part.url ?? '')}</p>`;
}

/** The image, where it is all there. */
export function image(
  { mediaType, data }: Extract<ContentPart, { readonly type: 'image' }>,
  texts: Texts['call'],
): TemplateResult | undefined {
  if (data === undefined || !isHarmlessImage(mediaType) || !base64.test(data)) return undefined;
  return html`<img src="data:${mediaType};base64,${data}" alt=${texts.image(mediaType)} loading="lazy" />`;
}
