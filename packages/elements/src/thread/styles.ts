import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of threads. */
export const threadStyles: CSSResult = css`
  :host {
    display: flex;
    flex-direction: column;
    position: relative;
    block-size: 100%;
    max-block-size: 100dvh;
    background: var(--u-background);
  }
  .scroll {
    flex: 1 1 auto;
    min-block-size: 0;
    overflow-y: auto;
    overflow-anchor: none;
    overscroll-behavior: contain;
    scrollbar-gutter: stable;
  }
  .scroll:focus-visible {
    outline-offset: -2px;
  }
  .rows {
    position: relative;
    contain: layout;
  }
  article {
    position: absolute;
    inset-block-start: 0;
    inset-inline: 0;
    contain: layout;
  }
  .message {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    max-inline-size: var(--utensil-thread-width, 48rem);
    margin-inline: auto;
    padding: 0.25rem 1rem;
  }
  .message.first {
    padding-block-start: 1rem;
  }
  .body {
    display: flex;
    flex-direction: column;
    gap: 0.625rem;
    min-inline-size: 0;
  }
  .body > * {
    max-inline-size: 100%;
  }
  .user {
    align-items: flex-end;
  }
  .user .body {
    align-items: flex-end;
    max-inline-size: min(88%, 38rem);
  }
  .words {
    margin: 0;
    padding: 0.5rem 0.875rem;
    border-radius: calc(var(--u-radius) * 2);
    border-end-end-radius: calc(var(--u-radius) / 2);
    border: 1px solid transparent; /* seen where colours are the user's */
    background: var(--u-surface);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .long {
    inline-size: 100%;
  }
  .earlier {
    align-self: flex-start;
    color: var(--u-accent);
  }
  .chip button {
    white-space: nowrap;
    min-block-size: 1.5rem;
    padding: 0 0.25rem;
    color: var(--u-accent);
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.125rem;
    min-block-size: 1.75rem;
    margin-inline-start: -0.5rem;
    color: var(--u-muted);
    font-size: 0.8125rem;
  }
  .user .foot {
    margin-inline: 0 -0.5rem;
  }
  .foot button {
    min-block-size: 1.75rem;
    padding: 0.125rem 0.5rem;
  }
  .foot button:hover:not(:disabled) {
    color: var(--u-text);
    background: var(--u-surface);
    border-color: transparent;
  }
  .versions {
    display: inline-flex;
    align-items: center;
    font-variant-numeric: tabular-nums;
  }
  .versions button:dir(rtl) {
    scale: -1 1;
  }
  .usage {
    margin-inline-start: auto;
    padding-inline: 0.5rem;
    font-variant-numeric: tabular-nums;
  }
  .reasoning summary {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: 1.75rem;
    color: var(--u-muted);
    font-size: 0.875rem;
    cursor: pointer;
    list-style: none;
  }
  .reasoning summary::-webkit-details-marker {
    display: none;
  }
  .reasoning .icon {
    transition: rotate 0.15s;
  }
  .reasoning .icon:dir(rtl) {
    scale: -1 1;
  }
  .reasoning[open] .icon {
    rotate: 90deg;
  }
  .reasoning .line {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    opacity: 0.85;
  }
  .reasoning[open] .line {
    visibility: hidden;
  }
  .reasoning utensil-markdown {
    margin-block: 0.25rem;
    padding-inline-start: 0.875rem;
    border-inline-start: 2px solid var(--u-border);
    font-size: 0.875rem;
    --utensil-text: var(--u-muted);
  }
  .chip {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.5rem;
    align-self: flex-start;
    max-inline-size: 100%;
    padding: 0.1875rem 0.625rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .user .chip {
    align-self: flex-end;
  }
  .file {
    max-inline-size: 100%;
  }
  .file[open] {
    align-self: stretch;
  }
  .user .file,
  .user .resource,
  .user utensil-recording {
    align-self: flex-end;
  }
  .user .file[open] {
    align-self: stretch;
  }
  .file summary {
    align-items: center;
    min-block-size: 1.75rem;
    cursor: pointer;
    list-style: none;
  }
  .file summary::-webkit-details-marker {
    display: none;
  }
  .file .icon {
    color: var(--u-muted);
    transition: rotate 0.15s;
  }
  .file .icon:dir(rtl) {
    scale: -1 1;
  }
  .file[open] .icon {
    rotate: 90deg;
  }
  .file utensil-value {
    margin-block-start: 0.375rem;
  }
  .chip .type {
    color: var(--u-muted);
  }
  .chip a {
    color: var(--u-accent);
  }
  .resource,
  utensil-recording {
    align-self: flex-start;
    max-inline-size: 100%;
  }
  .sources {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .body > img {
    max-block-size: 20rem;
    inline-size: auto;
    align-self: flex-start;
    border-radius: var(--u-radius);
  }
  .user .body > img {
    align-self: flex-end;
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
    align-self: stretch;
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-surface);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .notice .icon {
    color: var(--u-warn);
  }
  .notice.bad .icon {
    color: var(--u-bad);
  }
  .notice details {
    flex-basis: 100%;
    color: var(--u-muted);
    font-size: 0.8125rem;
  }
  .notice summary {
    inline-size: fit-content;
    cursor: pointer;
  }
  .notice details p {
    margin-block: 0.25rem 0;
  }
  .notice > span {
    flex: 1;
    min-inline-size: 8rem;
  }
  .waits {
    margin: 0;
    block-size: 1.5em;
  }
  .waits::before {
    content: '';
    display: inline-block;
    inline-size: 0.5rem;
    block-size: 0.5rem;
    border-radius: 50%;
    background: var(--u-muted);
    animation: waits 1.2s ease-in-out infinite alternate;
  }
  .waits.retry {
    block-size: auto;
    color: var(--u-muted);
    font-variant-numeric: tabular-nums; /* what counts down does not shake */
  }
  .waits.retry::before {
    margin-inline-end: 0.5rem;
  }
  @keyframes waits {
    from {
      opacity: 0.25;
    }
  }
  .elsewhere {
    flex: none;
    padding-inline: 1rem;
  }
  .elsewhere p {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    max-inline-size: calc(var(--utensil-thread-width, 48rem) - 2rem);
    margin: 0.5rem auto;
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-surface);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .elsewhere .ring {
    animation: turn 1s linear infinite;
  }
  .elsewhere .warning {
    color: var(--u-bad);
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  .editor {
    inline-size: 100%;
    display: grid;
    gap: 0.5rem;
  }
  .editor textarea {
    inline-size: 100%;
    resize: vertical;
    padding: 0.5rem 0.875rem;
  }
  .editor .buttons {
    display: flex;
    justify-content: flex-end;
    gap: 0.5rem;
  }
  .empty {
    position: absolute;
    inset: 0;
    display: grid;
    place-content: center;
    margin: 0;
    color: var(--u-muted);
    pointer-events: none;
  }
  .latest {
    position: absolute;
    inset-block-end: 0.75rem;
    inset-inline: 0;
    inline-size: fit-content;
    margin-inline: auto;
    border-radius: 1rem;
    box-shadow: 0 1px 6px rgb(0 0 0 / 20%);
  }
`;
