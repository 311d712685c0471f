import { isUtensilError } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { icon } from '../value/icons.ts';

/** Advice for settings that could not be stored, by the error. */
export function storageAdvice(problem: Error, texts: Texts['settings']): string {
  const causes = causesOf(problem);
  const isNamed = (...names: readonly string[]): boolean => causes.some(({ name }) => names.includes(name));
  if (causes.some((cause) => isUtensilError(cause, 'ENOSPC', 'EDQUOT', 'EFBIG')) || isNamed('QuotaExceededError'))
    return texts.full;
  if (causes.some((cause) => isUtensilError(cause, 'EACCES', 'EROFS')) || isNamed('SecurityError', 'InvalidStateError'))
    return texts.blocked;
  return texts.failed;
}

function causesOf(error: Error): readonly Error[] {
  const causes: Error[] = [];
  for (let cause: unknown = error; cause instanceof Error && causes.length < 9; cause = cause.cause) causes.push(cause);
  return causes;
}

/** Content of a message. */
export interface MessageParts {
  readonly texts: Texts['settings'];
  readonly title?: string;
  readonly text: string;
  /** Message of the error. */
  readonly detail?: string;
  readonly retry?: () => void;
  dismiss(): void;
}

/** An error message, with retry or dismissal. */
export function message({ texts, title, text, detail, retry, dismiss }: MessageParts): TemplateResult {
  return html`<div class="message" role="alert">
    ${icon('warning')}
    <div>
      ${title === undefined ? nothing : html`<strong>${title}</strong>`} ${text}
      ${detail === undefined ? nothing : html`<div class="about">${detail}</div>`}
      <div class="actions">
        ${retry === undefined ? nothing : html`<button class="retry" @click=${retry}>${texts.retry}</button>`}
        <button class="plain dismiss" @click=${dismiss}>${texts.dismiss}</button>
      </div>
    </div>
  </div>`;
}
