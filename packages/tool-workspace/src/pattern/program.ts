import { UtensilError } from '@utensil/core';
import type { Node, Place } from './syntax.ts';

/** A step of a program: it consumes a character, or continues without. `to` are indexes into the program. */
export type Step =
  | { readonly type: 'take'; has(character: string): boolean; to: number }
  | { readonly type: 'split'; readonly to: number[] }
  | { readonly type: 'place'; readonly place: Place; to: number }
  | { readonly type: 'found' };

const mostSteps = 20_000;

/** A regular expression as a nondeterministic automaton, starting at `start`. */
export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** Compiles a program from its end to its start. Throws `EINVAL` if it is too large. */
export function toProgram(node: Node): Program {
  const steps: Step[] = [{ type: 'found' }];

  function add(step: Step): number {
    if (steps.length >= mostSteps)
      throw new UtensilError('EINVAL', 'EINVAL: invalid pattern. Its repetitions make it too large: repeat less.');
    return steps.push(step) - 1;
  }

  /** First step of a node that is followed by `to`. */
  function compile(part: Node, to: number): number {
    if (part.type === 'character') return add({ type: 'take', has: (character) => character === part.text, to });
    if (part.type === 'set') return add({ type: 'take', has: part.has, to });
    if (part.type === 'place') return add({ type: 'place', place: part.place, to });
    if (part.type === 'choice') return add({ type: 'split', to: part.nodes.map((each) => compile(each, to)) });
    if (part.type === 'repeat') return repeat(part, to);
    return part.nodes.reduceRight((next, each) => compile(each, next), to);
  }

  function repeat({ node: inner, least, most }: Node & { readonly type: 'repeat' }, to: number): number {
    let next = to;
    if (most === Infinity) {
      const loop: number[] = [to];
      next = add({ type: 'split', to: loop });
      loop.push(compile(inner, next));
    } else {
      for (let count = least; count < most; count++) next = add({ type: 'split', to: [to, compile(inner, next)] });
    }
    for (let count = 0; count < least; count++) {
      const before = next;
      next = compile(inner, before);
      if (next === before) break; // empty, however often it is repeated
    }
    return next;
  }

  const start = compile(node, 0);
  return { steps, start };
}
