import type { ResourceLinkPart } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import { webAddressOf } from '../markdown/address.ts';
import type { Texts } from '../texts/texts.ts';
import { visibleText } from './visible.ts';

/** A link to a resource with its metadata. It can be followed if it leads to the web. */
export function resourceLink(link: ResourceLinkPart, { call: texts, formats }: Texts): TemplateResult {
  const { uri, name, title, description, mediaType, size } = link;
  const address = webAddressOf(uri);
  const words = bounded(title ?? name, 200);
  const bytes = size !== undefined && size >= 0 ? formats.bytes(size) : '';
  const known = [title === undefined ? '' : name, mediaType ?? '', bytes].filter((each) => each !== '');
  return html`<div class="resource" role="group" aria-label=${texts.resourceLink}>
    ${
      address === undefined
        ? html`<bdi>${words}</bdi>`
        : html`<a href=${address.href} rel="noopener noreferrer nofollow" target="_blank"><bdi>${words}</bdi></a>`
    }
    <bdi class="about">${bounded(known.join(' · '), 300)}</bdi>
    ${description === undefined ? nothing : html`<p dir="auto">${bounded(description, 1_000)}</p>`}
    <bdi class="about">${bounded(uri, 300)}</bdi>
  </div>`;
}

function bounded(text: string, most: number): string {
  return visibleText(text.length > most ? `${text.slice(0, most)}…` : text);
}

/** Styles of {@link resourceLink}. */
export const resourceStyles: CSSResult = css`
  .resource {
    max-inline-size: 100%;
    padding: 0.375rem 0.625rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .resource p {
    margin: 0.25rem 0;
  }
  .resource a {
    color: var(--u-accent);
  }
  .resource .about {
    color: var(--u-muted);
  }
`;
