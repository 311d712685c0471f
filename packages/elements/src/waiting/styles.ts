import { css } from 'lit';
import type { CSSResult } from 'lit';

/** Styles of the list. */
export const waitingStyles: CSSResult = css`
  h2 {
    margin: 0 0 0.5rem;
    font-size: 0.9375rem;
    font-weight: 600;
  }
  ul {
    display: grid;
    gap: 0.375rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: grid;
    gap: 0.375rem;
    min-inline-size: 0;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
    min-inline-size: 0;
  }
  .what {
    flex: 1 1 10rem;
    display: flex;
    gap: 0.5rem;
    min-inline-size: 0;
    color: inherit;
    font: inherit;
    text-align: start;
    text-decoration: none;
    overflow-wrap: anywhere;
  }
  .what > span {
    min-inline-size: 0;
  }
  .what:hover .title,
  .what:focus-visible .title {
    text-decoration: underline;
  }
  .where {
    display: block;
    color: var(--u-muted);
    font-size: 0.8125rem;
  }
  button.what {
    padding: 0;
    border: 0;
    background: none;
    cursor: pointer;
  }
  p {
    margin: 0;
    color: var(--u-muted);
    font-size: 0.875rem;
  }
`;
