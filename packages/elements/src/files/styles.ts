import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of `<utensil-files>`. */
export const filesStyles: CSSResult = css`
  :host {
    container-type: inline-size;
    min-block-size: 20rem;
    block-size: 100%;
  }
  .frame {
    display: grid;
    grid-template-columns: minmax(14rem, 2fr) minmax(0, 5fr);
    gap: 1rem;
    block-size: 100%;
  }
  .side,
  .pane {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    min-block-size: 0;
    min-inline-size: 0;
  }
  .pane > :last-child {
    flex: 1;
    min-block-size: 0;
    overflow: auto;
  }
  .toolbar,
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }
  .toolbar button {
    padding-inline: 0.5rem;
    font-size: 0.8125rem;
  }
  .toolbar .more {
    anchor-name: --more;
    margin-inline-start: auto;
  }
  #more {
    position-anchor: --more;
    inset: auto;
    position-area: block-end span-inline-start;
    position-try-fallbacks: flip-inline;
    margin-block: 0.25rem;
    min-inline-size: 10rem;
    padding: 0.25rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-background);
    color: inherit;
    box-shadow: 0 8px 24px rgb(0 0 0 / 18%);
  }
  #more:popover-open {
    display: grid;
  }
  #more button {
    border-color: transparent;
    background: none;
    text-align: start;
  }
  #more button:hover {
    background: var(--u-surface);
  }
  #more [aria-pressed='true'] {
    border-color: var(--u-accent);
    color: var(--u-accent);
  }
  .scroll {
    flex: 1;
    min-block-size: 8rem;
    overflow: auto;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
  }
  .tree {
    position: relative;
  }
  .row {
    position: absolute;
    inset-inline: 0;
    border-inline-start: 3px solid transparent;
    display: flex;
    gap: 0.25rem;
    align-items: center;
    block-size: 32px;
    padding-inline-end: 0.5rem;
    cursor: pointer;
  }
  .row:hover {
    background: var(--u-surface);
  }
  .row:focus-visible {
    outline-offset: -2px;
  }
  .row[aria-selected='true'] {
    background: var(--u-surface);
    border-inline-start: 3px solid var(--u-accent);
  }
  .mark {
    flex: none;
    inline-size: 1rem;
    color: var(--u-muted);
    text-align: center;
  }
  .mark:dir(rtl) {
    scale: -1 1;
  }
  .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .dot {
    inline-size: 0.5rem;
    block-size: 0.5rem;
    flex: none;
    border-radius: 50%;
    background: var(--u-warn);
  }
  @media (forced-colors: active) {
    .row[aria-selected='true'] {
      background: Highlight;
      color: HighlightText;
      forced-color-adjust: none;
    }
    .row {
      border-color: Canvas;
    }
    .mark {
      color: inherit;
    }
    .dot {
      background: CanvasText;
      forced-color-adjust: none;
    }
  }
  .form {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    align-items: center;
  }
  .form label {
    flex-basis: 100%;
    font-size: 0.8125rem;
  }
  .form input {
    flex: 1 1 10rem;
    min-inline-size: 0;
  }
  .said {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    justify-content: space-between;
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    font-size: 0.875rem;
    overflow-wrap: anywhere;
  }
  .unsaved {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.5rem;
    align-items: center;
    overflow-wrap: anywhere;
  }
  .said.bad {
    border-color: var(--u-bad);
  }
  .about {
    margin: 0;
    color: var(--u-muted);
  }
  .back {
    display: none;
    align-self: start;
  }
  @container (width < 40rem) {
    .frame {
      grid-template-columns: minmax(0, 1fr);
    }
    .frame.tree .pane,
    .frame:not(.tree) .side {
      display: none;
    }
    .back {
      display: block;
    }
  }
`;
