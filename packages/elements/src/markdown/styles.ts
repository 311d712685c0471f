import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of Markdown. */
export const markdownStyles: CSSResult = css`
  :host {
    overflow-wrap: anywhere;
  }
  p,
  ul,
  ol,
  blockquote,
  h3,
  h4,
  h5,
  h6,
  .code,
  .table {
    margin-block: 0 0.75em;
  }
  :host > :last-child,
  li > :last-child,
  blockquote > :last-child {
    margin-block-end: 0;
  }
  h3,
  h4,
  h5,
  h6 {
    line-height: 1.3;
    font-weight: 650;
    margin-block-start: 1.1em;
  }
  h3 {
    font-size: 1.3em;
  }
  h4 {
    font-size: 1.15em;
  }
  h5,
  h6 {
    font-size: 1em;
  }
  :host > :first-child {
    margin-block-start: 0;
  }
  ul,
  ol {
    padding-inline-start: 1.5em;
  }
  li + li {
    margin-block-start: 0.2em;
  }
  li.task {
    list-style: none;
    margin-inline-start: -1.35em;
  }
  li.task > p {
    display: inline;
  }
  .check {
    color: var(--u-muted);
    margin-inline-end: 0.35em;
  }
  blockquote {
    margin-inline: 0;
    padding-inline-start: 0.9em;
    border-inline-start: 3px solid var(--u-border);
    color: var(--u-muted);
  }
  hr {
    border: 0;
    border-block-start: 1px solid var(--u-border);
    margin-block: 1.25em;
  }
  a {
    color: var(--u-accent);
    text-underline-offset: 0.15em;
    unicode-bidi: isolate;
  }
  .place {
    color: var(--u-muted);
    font-size: 0.875em;
  }
  :not(pre) > code {
    padding: 0.1em 0.35em;
    border-radius: 0.3em;
    background: var(--u-surface);
    unicode-bidi: isolate;
  }
  .code {
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-surface);
    overflow: hidden;
  }
  .bar {
    display: flex;
    align-items: center;
    gap: var(--u-space);
    padding-inline: 0.75rem 0.25rem;
    border-block-end: 1px solid var(--u-border);
    color: var(--u-muted);
    font-size: 0.8125rem;
  }
  .bar .said {
    margin-inline-start: auto;
  }
  .bar button {
    min-block-size: 1.75rem;
    padding-inline: 0.5rem;
  }
  pre {
    margin: 0;
    padding: 0.75rem;
    overflow: auto;
    max-block-size: var(--utensil-code-height, 32rem);
    line-height: 1.45;
    tab-size: 2;
    overflow-wrap: normal;
  }
  pre:focus-visible,
  .table:focus-visible {
    outline-offset: -2px;
  }
  .more {
    margin: 0;
    padding: 0.5rem 0.75rem;
    color: var(--u-muted);
  }
  .table {
    overflow-x: auto;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
  }
  table {
    border-collapse: collapse;
    min-inline-size: 100%;
    font-size: 0.9375em;
  }
  th,
  td {
    padding: 0.4rem 0.75rem;
    text-align: start;
    vertical-align: top;
    overflow-wrap: normal;
  }
  th {
    background: var(--u-surface);
    font-weight: 600;
  }
  tbody tr {
    border-block-start: 1px solid var(--u-border);
  }
  .center {
    text-align: center;
  }
  .right {
    text-align: right;
  }
  .left {
    text-align: left;
  }
  img {
    max-inline-size: 100%;
    block-size: auto;
    border-radius: var(--u-radius);
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 0.25rem;
    max-inline-size: 100%;
    padding-inline: 0.6rem;
    border: 1px dashed var(--u-control);
    border-radius: var(--u-radius);
    color: var(--u-muted);
    font-size: 0.875em;
  }
  .chip button {
    min-block-size: 1.75rem;
    padding-inline: 0.4rem;
    color: var(--u-accent);
  }
  .written {
    white-space: pre-wrap;
    content-visibility: auto;
    contain-intrinsic-block-size: auto 2rem;
  }
`;
