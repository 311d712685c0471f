import { spend } from '../work.ts';
import type { Work } from '../work.ts';
import { toProgram } from './program.ts';
import type { Look, Program, Step } from './program.ts';
import { parsePattern } from './syntax.ts';
import type { PatternCompilation, Place } from './syntax.ts';

/** Tests whether a text contains a match. */
export type Matcher = (text: string, work: Work) => boolean;

/** Compiles an ECMA-262 pattern to a matcher that is linear in the text for any pattern. */
export function toMatcher(source: string, compilation: PatternCompilation): Matcher {
  const program = toProgram(parsePattern(source, compilation), false, compilation);
  return (text, work) => sweep(program, { text, work, looks: new Map() }, () => true);
}

interface Subject {
  readonly text: string;
  readonly work: Work;
  /** For each look-around, the positions at which its matches begin or end. */
  readonly looks: Map<Look, Uint8Array>;
}

/**
 * Simulates a program on a text in all states at once, with a match starting at every position. Calls `onFound` for
 * each position at which a match ends, until it returns true.
 */
function sweep({ steps, start, isBackward }: Program, subject: Subject, onFound: (at: number) => boolean): boolean {
  const { text, work } = subject;
  spend(work, 1 + (steps.length >> 5));
  const seen = new Int32Array(steps.length).fill(-1);
  let takes: (Step & { readonly type: 'take' })[] = [];
  let entered: number[] = [];

  /** Collects the states that consume a character. True if a match ends here. */
  function reach(at: number): boolean {
    let isFound = false;
    let visits = 0;
    takes = [];
    entered.push(start); // a match may begin here
    for (let index = entered.pop(); index !== undefined; index = entered.pop()) {
      if (seen[index] === at) continue;
      seen[index] = at;
      visits++;
      const step = steps[index] as Step;
      if (step.type === 'take') takes.push(step);
      else if (step.type === 'found') isFound = true;
      else if (step.type === 'split') for (const to of step.to) entered.push(to);
      else if (step.type === 'place' ? isAt(step.place, text, at) : holds(step.look, subject, at))
        entered.push(step.to);
    }
    spend(work, visits / stepsOfOne);
    return isFound;
  }

  for (let at = isBackward ? text.length : 0; ;) {
    if (reach(at) && onFound(at)) return true;
    const character = isBackward ? characterBefore(text, at) : characterAt(text, at);
    if (character === '') return false;
    if (character > '\x7f') spend(work, takes.length); // only ASCII uses the table
    for (const step of takes) if (step.has(character)) entered.push(step.to);
    at += isBackward ? -character.length : character.length;
  }
}

/** Program steps that count as one step of validation. */
const stepsOfOne = 8;

/** Evaluates a look-around for all positions of the text at once, on first use. */
function holds(look: Look, subject: Subject, at: number): boolean {
  let places = subject.looks.get(look);
  if (places === undefined) {
    const marks = new Uint8Array(subject.text.length + 1);
    sweep(look.program, subject, (place) => {
      marks[place] = 1;
      return false;
    });
    subject.looks.set(look, marks);
    places = marks;
  }
  return (places[at] === 1) !== look.isNegative;
}

function isAt(place: Place, text: string, at: number): boolean {
  if (place === '^') return at === 0;
  if (place === '$') return at === text.length;
  const isEdge = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
  return isEdge === (place === 'b');
}

/** `\w`: ASCII letters, digits and the underscore. */
function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : code > 0xffff ? text.slice(at, at + 2) : (text[at] as string);
}

function characterBefore(text: string, at: number): string {
  const isPair = at > 1 && (text.codePointAt(at - 2) as number) > 0xffff;
  return isPair ? text.slice(at - 2, at) : (text[at - 1] ?? '');
}
