import { css } from 'lit';
import type { CSSResult } from 'lit';

/**
 * Colours, sizes and shapes. Each is a CSS custom property `--utensil-…` that a page may set on any ancestor; light and
 * dark follow the page's `color-scheme`. Sizes are logical, so right-to-left pages need nothing.
 */
export const theme: CSSResult = css`
  :host {
    --u-text: var(--utensil-text, light-dark(#1c1d21, #e9e9ee));
    --u-muted: var(--utensil-muted, light-dark(#5b5e69, #a6a9b6));
    --u-background: var(--utensil-background, light-dark(#ffffff, #17181c));
    --u-surface: var(--utensil-surface, light-dark(#f5f5f7, #202127));
    --u-raised: var(--utensil-raised, light-dark(#ffffff, #26282f));
    --u-border: var(--utensil-border, light-dark(#d5d7de, #3b3e48));
    --u-control: var(--utensil-control, light-dark(#767a87, #868a98));
    --u-accent: var(--utensil-accent, light-dark(#3152c8, #9db2ff));
    --u-on-accent: var(--utensil-on-accent, light-dark(#ffffff, #12142a));
    --u-good: var(--utensil-good, light-dark(#16692f, #7fd499));
    --u-bad: var(--utensil-bad, light-dark(#b3261e, #ff9d94));
    --u-warn: var(--utensil-warn, light-dark(#7a5200, #f0c26b));
    --u-added: var(--utensil-added, light-dark(#e2f5e6, #16331f));
    --u-removed: var(--utensil-removed, light-dark(#fbe6e4, #431d1b));
    --u-radius: var(--utensil-radius, 0.5rem);
    --u-space: var(--utensil-space, 0.5rem);
    --u-font: var(--utensil-font, system-ui, sans-serif);
    --u-mono: var(--utensil-mono, ui-monospace, 'SF Mono', Menlo, Consolas, monospace);
    display: block;
    color: var(--u-text);
    font-family: var(--u-font);
    font-size: var(--utensil-font-size, 0.9375rem);
    line-height: 1.5;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--u-accent);
    outline-offset: 2px;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation: none !important;
      transition: none !important; /* a short transition delays every change of size by a frame */
    }
  }
`;

/** Styles of common controls. */
export const controls: CSSResult = css`
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    min-block-size: 2rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--u-border);
    border-radius: var(--u-radius);
    background: var(--u-raised);
    cursor: pointer;
  }
  button:hover:not(:disabled) {
    border-color: var(--u-control);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  button.primary {
    border-color: transparent;
    background: var(--u-accent);
    color: var(--u-on-accent);
  }
  button.plain {
    border-color: transparent;
    background: none;
  }
  input:not([type='checkbox'], [type='radio'], [type='range']),
  select,
  textarea {
    min-block-size: 2rem;
    padding: 0.25rem 0.5rem;
    border: 1px solid var(--u-control);
    border-radius: var(--u-radius);
    background: var(--u-background);
  }
  input:user-invalid {
    border-color: var(--u-bad);
  }
  input[type='checkbox'],
  input[type='radio'] {
    accent-color: var(--u-accent);
  }
  pre,
  code {
    font-family: var(--u-mono);
    font-size: 0.875em;
  }
  @media (forced-colors: active) {
    [aria-pressed='true'] {
      background: Highlight !important; /* also where an element has colours for it */
      color: HighlightText !important;
      forced-color-adjust: none;
    }
  }
  .hidden-text {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
