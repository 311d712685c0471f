import { lineEnd, literal, more, no } from '../text/lookahead.ts';
import type { View } from '../text/lookahead.ts';
import type { Scan } from './scan-event.ts';
import type { Source } from '../text/source.ts';

/** Syntax of a chat template for the beginning and the end of a role's turn. */
interface Template {
  /** Before and behind the name of a role. */
  readonly role: readonly [before: string, behind: string];
  readonly end: string;
}

const templates: readonly Template[] = [
  { role: ['<|im_start|>', ''], end: '<|im_end|>' }, // ChatML: Qwen, Hermes and many more
  { role: ['<|start_header_id|>', '<|end_header_id|>'], end: '<|eot_id|>' }, // Llama
  { role: ['<start_of_turn>', ''], end: '<end_of_turn>' }, // Gemma
  { role: ['<|start_of_role|>', '<|end_of_role|>'], end: '<|end_of_text|>' }, // Granite
  { role: ['<|', '|>'], end: '<|end|>' }, // Phi
];

const roles = ['assistant', 'model', 'user', 'system', 'tool'] as const;

/** Openings of the lines. */
export const roleSigns: readonly string[] = templates.flatMap(({ role, end }) => [role[0], end]);

/** The openings with the name of a role. */
export const roleWords: readonly string[] = templates.flatMap(({ role: [before, behind] }) =>
  roles.map((role) => before + role + behind),
);

/** Number of characters by which a text is known to be no marker. */
const lead = 3;

/** The first characters of markers, and fewer, behind which the others may come. */
const beginnings = new Set(
  [...roleWords, ...templates.map(({ end }) => end)].flatMap((word) =>
    Array.from({ length: lead }, (_, index) => word.slice(0, index + 1)),
  ),
);

/**
 * Roles for servers that remove the markers and leave the name. A turn may well begin with the name of any other role.
 */
const ownNames = ['assistant', 'assistant:', 'Assistant:', 'model'] as const;

/**
 * End of a chat template's line that separates turns: one with nothing else on it, and the end of a turn with another
 * right after it. Any other marker is a mention.
 */
export function roleLine(view: View, isLineStart: boolean): number {
  if (!beginnings.has(view.text.slice(0, lead))) return no;
  return best(
    templates.flatMap((template) => [
      beginning(view, isLineStart ? 0 : no, template),
      ending(view, template),
      isLineStart ? line(view, 0, template.end) : no,
    ]),
  );
}

function beginning(view: View, at: number, { role: [before, behind] }: Template): number {
  return best(roles.map((role) => line(view, at, before + role + behind)));
}

function ending(view: View, template: Template): number {
  const end = literal(view, 0, template.end);
  const next = lineEnd(view, end);
  if (next === more || end < 0) return next;
  return beginning(view, next === no ? end : next, template);
}

/** A word and the end of its line. */
function line(view: View, at: number, word: string): number {
  return lineEnd(view, literal(view, at, word));
}

function best(ends: readonly number[]): number {
  return ends.find((end) => end >= 0) ?? (ends.includes(more) ? more : no);
}

/** Role of the turn, from its first line. Indented text after a mere name belongs to that line. */
export function* scanFirstRole(source: Source): Scan {
  for (;;) {
    const view = { text: source.rest(), isEnded: source.isEnded };
    const name = best(ownNames.map((each) => line(view, 0, each)));
    const end = best([roleLine(view, true), name < 0 ? name : behind(view, name)]);
    if (end === no) return;
    if (end >= 0) {
      source.skip(end);
      return yield* skipEmptyLines(source);
    }
    yield undefined;
  }
}

/** Index of the text after empty lines; `no` if there is none, or if it is indented. */
function behind({ text, isEnded }: View, from: number): number {
  let at = from;
  while (text[at] === '\n' || text[at] === '\r') at++;
  if (at === text.length) return isEnded ? no : more;
  return text[at] === ' ' || text[at] === '\t' ? no : at;
}

/** Skips empty lines, which belong to the preceding text. */
export function* skipEmptyLines(source: Source): Scan {
  for (;;) {
    const next = source.peek();
    if (next === '\n' || next === '\r') source.skip(1);
    else if (next !== '' || source.isEnded) return;
    else yield undefined;
  }
}
