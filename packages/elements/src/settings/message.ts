import { isUtensilError } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Texts } from '../texts/texts.ts';
import { icon } from '../value/icons.ts';

/** What to do about settings that could not be stored, as their problem says why. */
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

/** What a message has to say. */
export interface MessageParts {
  readonly texts: Texts['settings'];
  readonly title?: string;
  readonly text: string;
  /** In the words of the error. */
  readonly detail?: string;
  readonly retry?: () => void;
  dismiss(): void;
}

/** Something that went wrong, which can be tried again or dismissed. */
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
