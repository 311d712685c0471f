import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { MarkedToken, Token, Tokens } from 'marked';
import type { Texts } from '../texts/texts.ts';
import { inline, within } from './inline.ts';
import type { Rendering, Shown } from './inline.ts';
import { seen } from './prose.ts';

const mostCode = 200_000; // characters
const pieceLength = 20_000;

/** Renders blocks: paragraphs, lists, tables … */
export function blocks(tokens: readonly Token[], rendering: Rendering): readonly Shown[] {
  return within(tokens, rendering, block);
}

function block(token: MarkedToken, rendering: Rendering): Shown {
  switch (token.type) {
    case 'paragraph':
      return html`<p dir="auto">${inline(token.tokens, rendering)}</p>`;
    case 'heading':
      return heading(token, rendering);
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens, rendering)}</blockquote>`;
    case 'code':
      return codeBlock(token.text, token.lang ?? '', rendering.texts);
    case 'hr':
      return html`<hr />`;
    case 'list':
      return list(token, rendering);
    case 'table':
      return table(token, rendering);
    case 'html':
      return html`<p class="written" dir="auto">${seen(token.raw.trimEnd())}</p>`;
    case 'space':
    case 'def':
      return nothing;
    default:
      return html`${inline([token], rendering)}`;
  }
}

/** Two levels below the headings of the page. */
function heading({ depth, tokens }: Tokens.Heading, rendering: Rendering): TemplateResult {
  const words = inline(tokens, rendering);
  if (depth === 1) return html`<h3 dir="auto">${words}</h3>`;
  if (depth === 2) return html`<h4 dir="auto">${words}</h4>`;
  if (depth === 3) return html`<h5 dir="auto">${words}</h5>`;
  return html`<h6 dir="auto">${words}</h6>`;
}

function list({ ordered, start, items }: Tokens.List, rendering: Rendering): TemplateResult {
  const rows = items.map(
    ({ tokens, task }) => html`<li class=${task ? 'task' : nothing} dir="auto">${blocks(tokens, rendering)}</li>`,
  );
  return ordered
    ? html`<ol start=${start === '' ? 1 : start}>
        ${rows}
      </ol>`
    : html`<ul>
        ${rows}
      </ul>`;
}

function table({ header, rows }: Tokens.Table, rendering: Rendering): TemplateResult {
  const cells = (row: readonly Tokens.TableCell[]): readonly TemplateResult[] =>
    row.map(({ tokens, align, header: isHead }) =>
      isHead
        ? html`<th scope="col" class=${align ?? nothing}>${inline(tokens, rendering)}</th>`
        : html`<td class=${align ?? nothing}>${inline(tokens, rendering)}</td>`,
    );
  return html`<div class="table" tabindex="0" role="group" aria-label=${rendering.texts.table}>
    <table>
      <thead>
        <tr>
          ${cells(header)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Code fences with a translated label; others are shown verbatim. */
const labels: ReadonlyMap<string, 'code' | 'output'> = /* @__PURE__ */ new Map([
  ['', 'code'],
  ['output', 'output'],
]);

/** Code with its language and a copy button. */
export function codeBlock(code: string, language: string, texts: Texts['markdown']): TemplateResult {
  const named = labels.get(language);
  const label = named === undefined ? language : texts[named];
  const more = code.length - mostCode;
  return html`<div class="code" dir="ltr">
    <div class="bar">
      <span class="language">${seen(label)}</span>
      <span class="said" role="status"></span>
      <button class="plain" aria-label="${texts.copy}: ${label}" @click=${(event: Event) => copy(event, code, texts)}>
        ${texts.copy}
      </button>
    </div>
    <pre tabindex="0" role="group" aria-label=${label}><code>${seen(code.slice(0, mostCode))}</code></pre>
    ${more > 0 ? html`<p class="more">${texts.moreCode(more)}</p>` : nothing}
  </div>`;
}

async function copy({ currentTarget }: Event, code: string, texts: Texts['markdown']): Promise<void> {
  const said = (currentTarget as HTMLElement).parentElement?.querySelector('.said');
  const told = await navigator.clipboard.writeText(code).then(
    () => texts.copied,
    () => texts.notCopied,
  );
  if (said) said.textContent = told;
}

/** Verbatim text, in chunks that a browser lays out separately. */
export function plain(text: string): readonly TemplateResult[] {
  const pieces: TemplateResult[] = [];
  for (let at = 0; at < text.length;) {
    const piece = text.slice(at, at + pieceLength);
    const line = piece.length < pieceLength ? -1 : piece.lastIndexOf('\n');
    const shown = line === -1 ? piece : piece.slice(0, line + 1);
    pieces.push(html`<p class="written" dir="auto">${seen(shown.replace(/\n$/, ''))}</p>`);
    at += shown.length;
  }
  return pieces;
}
