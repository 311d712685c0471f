import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of settings. */
export const settingsStyles: CSSResult = css`
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  label,
  legend {
    font-weight: 500;
    overflow-wrap: anywhere;
  }
  .about {
    color: var(--u-muted);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .about:empty {
    display: none;
  }
  .search {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    margin-block-end: 0.75rem;
  }
  .search input {
    flex: 1 1 16rem;
    min-inline-size: 0;
  }
  .group,
  .flat {
    margin-block-end: 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-background);
    overflow: clip;
  }
  .header {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    padding-inline-end: 0.75rem;
    background: var(--u-surface);
  }
  .header [role='heading'] {
    flex: 1;
    min-inline-size: 0;
  }
  .opener {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    text-align: start;
  }
  .opener:focus-visible {
    outline-offset: -2px;
  }
  .header .opener {
    inline-size: 100%;
    padding: 0.5rem 0.75rem;
    flex-wrap: wrap;
  }
  .opener .chevron {
    transition: rotate 0.15s;
    color: var(--u-muted);
  }
  .opener:dir(rtl) .chevron {
    scale: -1 1;
  }
  .opener[aria-expanded='true'] .chevron {
    rotate: 90deg;
  }
  .opener:dir(rtl)[aria-expanded='true'] .chevron {
    rotate: -90deg;
  }
  .title {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .count {
    color: var(--u-muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .tool {
    padding: 0.5rem 0.75rem;
    content-visibility: auto;
    contain-intrinsic-size: auto 3.5rem;
  }
  .tool,
  .group > div + div {
    border-block-start: 1px solid var(--u-border);
  }
  .group > div:empty,
  li.tool:first-child {
    border-block-start: 0;
  }
  .line {
    display: flex;
    align-items: flex-start;
    gap: 0.625rem;
  }
  .words {
    flex: 1;
    min-inline-size: 0;
  }
  .badge {
    margin-inline-start: 0.375rem;
    padding: 0.0625rem 0.4375rem;
    border-radius: 1rem;
    background: var(--u-accent);
    color: var(--u-on-accent);
    font-size: 0.75rem;
    font-weight: 500;
  }
  .unavailable {
    color: var(--u-warn);
  }
  .switch {
    position: relative;
    appearance: none;
    flex: none;
    inline-size: 2.25rem;
    block-size: 1.25rem;
    margin: 0.125rem 0;
    border: 1px solid var(--u-control);
    border-radius: 1rem;
    background: var(--u-control);
    cursor: pointer;
    transition: background 0.15s;
  }
  .switch::before {
    content: '';
    position: absolute;
    inset-block: 2px;
    inset-inline-start: 2px;
    aspect-ratio: 1;
    border-radius: 50%;
    background: var(--u-background);
    transition: inset-inline-start 0.15s;
  }
  .switch:checked {
    border-color: var(--u-accent);
    background: var(--u-accent);
  }
  .switch:checked::before {
    inset-inline-start: calc(100% - 1rem - 1px);
  }
  .switch:indeterminate::before {
    inset-inline-start: calc(50% - 0.375rem);
    inset-block: calc(50% - 1.5px);
    inline-size: 0.75rem;
    aspect-ratio: auto;
    border-radius: 2px;
  }
  .switch:disabled {
    opacity: 0.5;
    cursor: default;
  }
  @media (forced-colors: active) {
    .switch {
      appearance: auto;
    }
    .switch::before {
      content: none;
    }
  }
  .options {
    display: grid;
    gap: 0.875rem;
    margin-block: 0.625rem 0.25rem;
    margin-inline-start: 0.6875rem;
    padding-inline-start: 1.375rem;
    border-inline-start: 2px solid var(--u-border);
  }
  .option {
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .option .head {
    display: flex;
    align-items: baseline;
    gap: 0.5rem;
  }
  .option.boolean {
    display: flex;
    align-items: flex-start;
    gap: 0.5rem;
  }
  .option.boolean > input {
    margin: 0.3125rem 0;
    inline-size: 1rem;
    block-size: 1rem;
    flex: none;
  }
  .option label,
  .option legend {
    padding: 0;
    font-size: 0.875rem;
  }
  .option > input:not([type='checkbox']),
  .option > select,
  .option > textarea,
  .instructions > textarea {
    margin-block-start: 0.25rem;
    inline-size: 100%;
    max-inline-size: 28rem;
  }
  .option > input[type='number'] {
    max-inline-size: 10rem;
  }
  textarea {
    max-inline-size: 40rem;
    resize: vertical;
  }
  [aria-invalid='true'] {
    border-color: var(--u-bad);
  }
  .problem {
    color: var(--u-bad);
    font-size: 0.8125rem;
  }
  .radios {
    display: flex;
    flex-wrap: wrap;
    gap: 0.125rem 1.25rem;
    margin-block-start: 0.125rem;
  }
  .radio {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: 1.75rem;
    font-weight: 400;
  }
  .radio input {
    margin: 0;
  }
  utensil-model-list {
    margin-block-start: 0.25rem;
  }
  button.reset,
  .instructions .opener,
  button.more {
    min-block-size: 1.5rem;
    padding: 0 0.375rem;
    font-size: 0.8125rem;
    color: var(--u-accent);
  }
  .instructions .opener {
    margin-inline-start: -0.375rem;
  }
  .instructions .option {
    margin-block-start: 0.375rem;
  }
  button.more {
    inline-size: 100%;
    min-block-size: 2.25rem;
    border-radius: 0;
    border-block-start: 1px solid var(--u-border);
  }
  .message {
    display: flex;
    gap: 0.625rem;
    margin-block-end: 0.75rem;
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--u-bad);
    border-radius: var(--u-radius);
    background: var(--u-removed);
    overflow-wrap: anywhere;
  }
  .message > .icon {
    margin-block-start: 0.25rem;
    color: var(--u-bad);
  }
  .message .about {
    color: var(--u-text);
  }
  .message .actions {
    display: flex;
    gap: 0.5rem;
    margin-block-start: 0.5rem;
  }
  :host([compact]) .tool {
    padding-block: 0.3125rem;
  }
  .empty {
    margin: 0;
    color: var(--u-muted);
  }
`;
