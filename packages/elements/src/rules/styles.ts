import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of rules. */
export const rulesStyles: CSSResult = css`
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .heading,
  .title {
    font-weight: 600;
  }
  .about {
    margin: 0;
    color: var(--u-muted);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .empty {
    color: var(--u-muted);
  }
  section > ul {
    margin-block: 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-background);
  }
  section > ul:empty {
    border: 0;
  }
  .rule {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.625rem;
    padding: 0.5rem 0.75rem;
  }
  li + li {
    border-block-start: 1px solid var(--u-border);
  }
  .decision {
    flex: none;
    min-inline-size: 5rem;
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .decision.allow {
    color: var(--u-good);
  }
  .decision.ask {
    color: var(--u-warn);
  }
  .decision.deny,
  .problem {
    color: var(--u-bad);
  }
  .words {
    flex: 1 1 12rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .over .subject {
    text-decoration: line-through;
  }
  .problem {
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .form,
  .sample {
    display: grid;
    gap: 0.75rem;
    padding: 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-surface);
  }
  .sample {
    margin-block: 1rem 0.75rem;
    justify-items: start;
  }
  .field {
    min-inline-size: 0;
    inline-size: 100%;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .field label:not(.radio),
  .field legend {
    display: block;
    padding: 0;
    font-size: 0.875rem;
    font-weight: 500;
  }
  .field > input,
  .field > select,
  .field > textarea {
    inline-size: 100%;
    max-inline-size: 28rem;
  }
  textarea {
    resize: vertical;
    font-family: var(--u-mono);
  }
  .radios,
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
  }
  .radio {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: 1.75rem;
  }
  [aria-invalid='true'] {
    border-color: var(--u-bad);
  }
  button.more {
    color: var(--u-accent);
  }
  .explained {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .explained:empty,
  .problem:empty {
    display: none;
  }
  .message {
    display: flex;
    gap: 0.625rem;
    margin-block: 0.75rem;
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--u-bad);
    border-radius: var(--u-radius);
    background: var(--u-removed);
    overflow-wrap: anywhere;
  }
`;
