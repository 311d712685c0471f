import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of `<utensil-file>`. */
export const fileStyles: CSSResult = css`
  :host {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    min-block-size: 0;
    min-inline-size: 0;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.75rem;
    align-items: baseline;
  }
  h2 {
    margin: 0;
    font-size: 1rem;
    overflow-wrap: anywhere;
  }
  .about {
    margin: 0;
    color: var(--u-muted);
    font-size: 0.8125rem;
  }
  .actions {
    display: flex;
    gap: 0.375rem;
    margin-inline-start: auto;
  }
  .banner {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    justify-content: space-between;
    padding: 0.375rem 0.75rem;
    border: 1px solid var(--u-warn);
    border-radius: var(--u-radius);
  }
  .banner.bad {
    border-color: var(--u-bad);
  }
  .buttons {
    display: flex;
    gap: 0.375rem;
  }
  .editor {
    flex: 1;
    inline-size: 100%;
    min-block-size: 12rem;
    font-family: var(--u-mono);
    font-size: 0.8125rem;
    resize: none;
    tab-size: 4;
  }
  .editor:focus-visible {
    outline-offset: -2px;
  }
  .image {
    flex: 1;
    min-block-size: 0;
    overflow: auto;
  }
  img {
    max-inline-size: 100%;
  }
`;
