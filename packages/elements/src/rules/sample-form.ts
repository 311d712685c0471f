import type { Tool } from '@utensil/core';
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { SampleCall } from './sample.ts';

/** State and actions of the form. */
export interface SampleForm {
  readonly sample: SampleCall;
  /** Explanation of the deciding rule; empty until requested. */
  readonly explained: string;
  readonly tools: readonly Tool[];
  readonly texts: Texts['rules'];
  change(change: Partial<SampleCall>): void;
  explain(): void;
}

/** Renders the form of a sample call, with the rule that decides it. */
export function sampleForm({ sample, explained, tools, texts, change, explain }: SampleForm): TemplateResult {
  const submit = (event: Event): void => {
    event.preventDefault();
    explain();
  };
  const valueOf = (event: Event): string => (event.target as HTMLInputElement).value;
  return html`<form class="sample" aria-labelledby="sample-heading" @submit=${submit}>
    <div id="sample-heading" class="title">${texts.sample}</div>
    <div class="field">
      <label for="sample-tool">${texts.sampleTool}</label>
      <select id="sample-tool" @change=${(event: Event) => change({ tool: valueOf(event) })}>
        ${tools.map(
          ({ name, title = name }, index) =>
            html`<option value=${name} .selected=${live(sample.tool === '' ? index === 0 : sample.tool === name)}>
              ${title}
            </option>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="sample-input">${texts.sampleInput}</label>
      <textarea
        id="sample-input"
        class="json"
        rows="3"
        spellcheck="false"
        .value=${live(sample.input)}
        @input=${(event: Event) => change({ input: valueOf(event) })}
      ></textarea>
    </div>
    <button class="explain">${texts.explain}</button>
    <p class="explained" role="status">${shown(explained)}</p>
  </form>`;
}
