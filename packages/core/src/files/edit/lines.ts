import type { Form } from './form.ts';

/** A line of a text: as it is compared, and where it is. */
export interface Line {
  readonly content: string;
  readonly start: number;
  /** Without its line break. */
  readonly end: number;
  /** With its line break. */
  readonly next: number;
}

/** The lines of a form that ends in a line break. */
export function contentsOf({ text }: Form): readonly string[] {
  return text.split('\n').slice(0, -1);
}

/** The lines of a text of which this is the form. */
export function linesOf(text: string, form: Form): readonly Line[] {
  let at = 0;
  let start = 0;
  return contentsOf(form).map((content) => {
    at += content.length;
    const next = form.endOf(at++);
    const whole = text.slice(start, next);
    const line = { content, start, end: start + whole.replace(/\r?\n$/, '').length, next };
    start = next;
    return line;
  });
}
