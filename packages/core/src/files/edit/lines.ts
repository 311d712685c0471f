import type { Form } from './form.ts';

/** A line of a text: its form for comparison, and its position. */
export interface Line {
  readonly content: string;
  readonly start: number;
  /** End without the line break. */
  readonly end: number;
  /** End with the line break. */
  readonly next: number;
}

/** The lines of a form that ends in a line break. */
export function contentsOf({ text }: Form): readonly string[] {
  return text.split('\n').slice(0, -1);
}

/** The lines of the text that this form was made from. */
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
