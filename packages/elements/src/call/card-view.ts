import type { Preview } from '@utensil/core';
import { css, html, nothing } from 'lit';
import type { CSSResult, TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { shown } from '../value/shown.ts';
import type { Agent, Card, CommandEnd } from './card.ts';

const mostFiles = 20;

/** Accessible name of a value, and the current texts. */
interface CardShowing {
  readonly label: string;
  readonly texts: Texts;
}

/** Renders a card: file changes, terminal output, code, an agent's work, or a value. */
export function cardView(card: Card, { label, texts }: CardShowing): TemplateResult {
  switch (card.kind) {
    case 'changes':
      return changesView(card.changes, texts.call);
    case 'terminal':
      return terminalView(card, texts.call);
    case 'code':
      return html`<figure>
        <figcaption class="muted">${card.language === '' ? texts.call.code : shown(card.language)}</figcaption>
        <utensil-value class="code" .value=${card.code} label=${texts.call.code} filename="code.txt"></utensil-value>
      </figure>`;
    case 'agent':
      return agentView(card.agent, texts);
    case 'value':
      return html`<utensil-value .value=${card.value} label=${label}></utensil-value>`;
  }
}

/** File changes, one diff each. */
function changesView(changes: Preview['changes'], texts: Texts['call']): TemplateResult {
  const rest = changes.length - mostFiles;
  return html`${changes.slice(0, mostFiles).map(
    ({ path, before, after }) =>
      html`<figure>
        <figcaption class="path">
          ${shown(path)} ${before === undefined ? html`<span class="tag">${texts.added}</span>` : nothing}
          ${after === undefined ? html`<span class="tag">${texts.deleted}</span>` : nothing}
        </figcaption>
        <utensil-diff .oldText=${before} .newText=${after} label=${texts.changed(path)}></utensil-diff>
      </figure>`,
  )}
  ${rest > 0 ? html`<p class="muted">${texts.moreChanges(rest)}</p>` : nothing}`;
}

function terminalView(
  { command, text, end }: Extract<Card, { readonly kind: 'terminal' }>,
  texts: Texts['call'],
): TemplateResult {
  const ended = endText(end, texts);
  return html`<figure class="terminal">
    ${command === '' ? nothing : html`<figcaption><code>$ ${shown(command)}</code></figcaption>`}
    <utensil-value .value=${text} label=${texts.terminal} filename="terminal.txt"></utensil-value>
    ${ended === '' ? nothing : html`<p class="muted">${shown(ended)}</p>`}
  </figure>`;
}

function endText({ code, signal, reason }: CommandEnd, texts: Texts['call']): string {
  const said = code !== undefined ? texts.exitCode(code) : signal === undefined ? '' : texts.endedBy(signal);
  return [said, reason].filter(Boolean).join(': ');
}

function agentView(agent: Agent, { call: texts, formats }: Texts): TemplateResult {
  const { name, answer, text, note, steps, tokens, cost } = agent;
  const facts = [
    ...(steps === undefined ? [] : [texts.steps(steps)]),
    ...(tokens === undefined ? [] : [texts.tokens(tokens)]),
    ...(cost === undefined ? [] : [formats.dollars(cost)]),
  ];
  return html`<figure>
    <figcaption class="muted">
      ${shown(texts.agent(name))}${facts.map((fact) => html`<span> · ${fact}</span>`)}
    </figcaption>
    ${note === '' ? nothing : html`<p>${shown(note)}</p>`}
    ${answer === '' ? nothing : html`<utensil-value .value=${answer} label=${texts.answer}></utensil-value>`}
    ${text === '' ? nothing : html`<utensil-value .value=${text} label=${texts.words}></utensil-value>`}
  </figure>`;
}

/** Styles of cards. */
export const cardStyles: CSSResult = css`
  figure {
    margin: 0;
  }
  figure + figure {
    margin-block-start: 0.75rem;
  }
  figcaption {
    margin-block-end: 0.25rem;
    overflow-wrap: anywhere;
  }
  .path {
    font-family: var(--u-mono);
    font-size: 0.8125rem;
  }
  .tag {
    margin-inline-start: 0.5rem;
    padding-inline: 0.375rem;
    border: 1px solid var(--u-border);
    border-radius: 1rem;
    font-family: var(--u-font);
    font-size: 0.75rem;
    color: var(--u-muted);
  }
  .muted {
    color: var(--u-muted);
    font-size: 0.8125rem;
  }
  figure p {
    margin-block: 0.25rem;
    overflow-wrap: anywhere;
  }
`;
