import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of approvals. */
export const approvalStyles: CSSResult = css`
  .ask {
    display: grid;
    gap: 0.625rem;
    padding: 0.75rem;
    border: 1px solid var(--u-border);
    border-inline-start: 3px solid var(--u-accent);
    border-radius: var(--u-radius);
    background: var(--u-background);
  }
  .ask > * {
    min-inline-size: 0;
  }
  .ask.destructive {
    border-inline-start-color: var(--u-bad);
  }
  .heading {
    color: var(--u-muted);
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .call {
    display: flex;
    align-items: flex-start;
    gap: 0.5rem;
    font-size: 1.0625rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .effects,
  .warnings {
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: 0.875rem;
  }
  .warnings {
    padding: 0.5rem 0.625rem;
    border-radius: var(--u-radius);
    background: var(--u-removed);
    color: var(--u-bad);
  }
  .effects .strong {
    color: var(--u-bad);
    font-weight: 500;
  }
  .title {
    margin-block-end: 0.25rem;
    color: var(--u-muted);
    font-size: 0.75rem;
    font-weight: 600;
  }
  dl {
    display: grid;
    grid-template-columns: minmax(4rem, max-content) minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin: 0;
    font-size: 0.875rem;
  }
  dt {
    color: var(--u-muted);
    max-inline-size: 10rem;
    overflow-wrap: anywhere;
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .seen {
    display: grid;
    gap: 0.625rem;
    max-block-size: var(--utensil-approval-height, 24rem);
    overflow: auto;
  }
  .seen > * {
    min-inline-size: 0;
  }
  .actions {
    position: sticky;
    inset-block-end: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    padding-block: 0.25rem;
    background: var(--u-background);
  }
  .actions .change {
    margin-inline-start: auto;
    color: var(--u-accent);
  }
  .choices {
    display: grid;
    gap: 0.5rem;
  }
  .choices > div {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
  }
  .choices button {
    min-inline-size: 9rem;
  }
  .muted {
    color: var(--u-muted);
    font-size: 0.8125rem;
  }
  .muted:empty {
    display: none;
  }
  .problem {
    color: var(--u-bad);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .problem:empty {
    display: none;
  }
  textarea {
    display: block;
    inline-size: 100%;
    resize: vertical;
  }
  textarea.json {
    font-family: var(--u-mono);
    font-size: 0.8125rem;
    tab-size: 2;
  }
  [aria-invalid='true'] {
    border-color: var(--u-bad);
  }
  .field label {
    font-weight: 500;
  }
  .field > input:not([type='checkbox']),
  .field > select {
    inline-size: 100%;
    max-inline-size: 24rem;
  }
  .field.check {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 0.5rem;
  }
  .form {
    display: grid;
    gap: 0.625rem;
  }
  .offers {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  p {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;
