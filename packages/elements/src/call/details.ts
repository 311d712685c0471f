import type { Json, JsonObject } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { isOver } from '../view/call-view.ts';
import type { CallResult, CallView } from '../view/call-view.ts';
import type { Texts } from '../texts/texts.ts';
import { noResult } from '../view/items.ts';
import { beginningOf } from '../value/beginning.ts';
import { shown } from '../value/shown.ts';
import { cardOf } from './card.ts';
import { cardView } from './card-view.ts';
import { beside, contentPart } from './content.ts';

/** Maximum characters of growing text: its end is shown, which is new. */
const shownTail = 2_000;
/** An input with more fields is shown as JSON. */
const mostFields = 12;

/** True if the whole input is visible at once. */
export function isShownWhole(input: JsonObject): boolean {
  const fields = Object.values(input);
  const shown = fields.length > mostFields ? [input] : fields;
  return shown.every((value) => beginningOf(value).isWhole);
}

/** Views of a result. */
export type Way = 'result' | 'modelSaw' | 'output';

/**
 * Input of a call: its fields, or the end of its text in a fixed-size area while it streams. `keepsPlace` keeps that
 * size afterwards, so that content below does not move up.
 */
export function inputView(
  { input, inputText, status, result }: CallView,
  { call: texts }: Texts,
  keepsPlace = false,
): TemplateResult | typeof nothing {
  if (input === undefined && inputText === undefined && result !== undefined) return nothing; // shown in an earlier message
  const place = keepsPlace ? 'kept' : '';
  if (input === undefined || inputText !== undefined) {
    return section(
      status === 'input' ? texts.comingIn : texts.input,
      html`<pre class="tail" tabindex="0" role="group" aria-label=${texts.comingIn}>
${shown((inputText ?? '').slice(-shownTail))}</pre>`,
      place,
    );
  }
  const fields = Object.entries(input);
  if (fields.length === 0) return section(texts.input, html`<p class="muted">${texts.noInput}</p>`, place);
  return section(
    texts.input,
    fields.length > mostFields
      ? html`<utensil-value .value=${input} label=${texts.input} filename="input.json" quiet></utensil-value>`
      : html`<dl>${fields.map(([name, value]) => field(name, value))}</dl>`,
    place,
  );
}

function field(name: string, value: Json): TemplateResult {
  return html`<dt>${shown(name)}</dt>
    <dd>${fieldValue(name, value)}</dd>`;
}

function fieldValue(name: string, value: Json): TemplateResult {
  if (typeof value === 'object' && value !== null)
    return html`<utensil-value .value=${value} label=${name} filename="${name}.json" quiet></utensil-value>`;
  const text = String(value);
  return text.length <= 200 && !text.includes('\n')
    ? shown(text)
    : html`<utensil-value .value=${text} label=${name} filename="${name}.txt" quiet></utensil-value>`;
}

/** Repairs of the arguments. */
export function repairsView({ repairs = [] }: CallView, texts: Texts['call']): TemplateResult | typeof nothing {
  if (repairs.length === 0) return nothing;
  return section(
    texts.repairs,
    html`<ul class="muted">
      ${repairs.map((repair) => html`<li>${shown(repair)}</li>`)}
    </ul>`,
  );
}

/** Progress of a running call. */
export function progressView({ progress, status }: CallView, texts: Texts['call']): TemplateResult | typeof nothing {
  if (progress === undefined || status !== 'running') return nothing;
  return tail(texts.progress, typeof progress === 'string' ? progress : textOf(progress));
}

/** Text of a nested run while the call runs. */
export function sayingView({ saying = '', status }: CallView, texts: Texts['call']): TemplateResult | typeof nothing {
  return saying.trim() === '' || isOver({ status }) ? nothing : tail(texts.saying, saying.trim());
}

function tail(title: string, text: string): TemplateResult {
  return section(
    title,
    html`<pre class="tail" tabindex="0" role="group" aria-label=${title}>${shown(text.slice(-shownTail))}</pre>`,
  );
}

function textOf(progress: Json): string {
  const { text } = (progress ?? {}) as JsonObject;
  return typeof text === 'string' ? text : (JSON.stringify(progress) ?? '');
}

/** Options of {@link resultView}. */
interface ResultShowing {
  readonly way: Way;
  readonly texts: Texts;
  choose(way: Way): void;
}

/** Result of a call, in the view that the person chose. */
export function resultView(result: CallResult, { way, texts: all, choose }: ResultShowing): TemplateResult {
  const { call: texts } = all;
  const ways = waysOf(result);
  const shownWay = ways.includes(way) ? way : 'result';
  return section(
    texts.result,
    html`${
      ways.length < 2
        ? nothing
        : html`<div class="ways" role="group" aria-label=${texts.ways}>
            ${ways.map(
              (each) =>
                html`<button class="plain" aria-pressed=${each === shownWay} @click=${() => choose(each)}>
                  ${texts[each]}
                </button>`,
            )}
          </div>`
    }
    ${contentOf(result, shownWay, all)}`,
  );
}

/** Views that differ. */
function waysOf({ output, modelParts, userView }: CallResult): readonly Way[] {
  const isSame = modelParts.length === 1 && modelParts[0]?.type === 'text' && modelParts[0].text === output;
  if (userView === undefined && (isSame || modelParts.length === 0)) return ['result'];
  return [
    'result',
    ...(modelParts.length === 0 ? [] : (['modelSaw'] as const)),
    ...(userView === undefined ? [] : (['output'] as const)),
  ];
}

function contentOf(result: CallResult, way: Way, texts: Texts): TemplateResult {
  const { call } = texts;
  if (result === noResult) return html`<p class="muted">${call.interruptedResult}</p>`;
  const { output, modelParts, userView } = result;
  if (way === 'modelSaw') return html`${modelParts.map((part) => contentPart(part, texts))}`;
  if (way === 'output') return cardView({ kind: 'value', value: output }, { label: call.output, texts });
  const others = modelParts.map((part) => beside(part, texts));
  return html`${cardView(cardOf(userView ?? output), { label: call.result, texts })} ${others}`;
}

function section(title: string, content: TemplateResult, place = ''): TemplateResult {
  return html`<section class=${place}>
    <div class="title">${title}</div>
    ${content}
  </section>`;
}
