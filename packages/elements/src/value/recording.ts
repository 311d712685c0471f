import type { AudioPart } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';

const playable = /^audio\/(?:wav|x-wav|wave|mpeg|mp3|mp4|aac|ogg|opus|flac|webm)$/;

/** In base64 characters, about 10 MB: longer audio has no player. */
const longest = 14_000_000;

/** A player for embedded audio of a passive type; renders nothing for others. */
class UtensilRecording extends UtensilElement {
  static override properties: PropertyDeclarations = { audio: { attribute: false } };

  static override styles: CSSResultGroup = css`
    audio {
      display: block;
      max-inline-size: 100%;
    }
  `;

  declare audio: AudioPart | undefined;
  #url: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate('audio');
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!changed.has('audio')) return;
    this.#close();
    this.#url = this.audio && urlOf(this.audio);
  }

  override render(): TemplateResult | typeof nothing {
    if (this.audio === undefined || this.#url === undefined) return nothing;
    const { name = '', mediaType } = this.audio;
    const label = this.texts.call.audio(name.slice(0, 200), mediaType);
    return html`<audio controls preload="none" src=${this.#url} aria-label=${label}></audio>`;
  }

  #close(): void {
    if (this.#url !== undefined) URL.revokeObjectURL(this.#url);
    this.#url = undefined;
  }
}
register('utensil-recording', UtensilRecording);

function urlOf({ mediaType, data = '' }: AudioPart): string | undefined {
  if (data === '' || data.length > longest || !playable.test(mediaType)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
    return URL.createObjectURL(new Blob([bytes], { type: mediaType }));
  } catch {
    return undefined; // invalid base64
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'utensil-recording': UtensilRecording;
  }
}
