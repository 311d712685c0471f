import { take } from './syntax.ts';
import type { Node, PatternCompilation, Place } from './syntax.ts';

/** An instruction: consumes a character, or continues without one. `to` are indices of instructions. */
export type Step =
  | { readonly type: 'take'; has(character: string): boolean; readonly to: number }
  | { readonly type: 'split'; readonly to: readonly number[] }
  | { readonly type: 'place'; readonly place: Place; readonly to: number }
  | { readonly type: 'look'; readonly look: Look; readonly to: number }
  | { readonly type: 'found' };

/** Look-ahead or look-behind, positive or negative. */
export interface Look {
  readonly program: Program;
  readonly isNegative: boolean;
}

/** A regular expression compiled to a nondeterministic automaton. */
export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
  /** True if it reads the text backwards. */
  readonly isBackward: boolean;
}

/** Compiles a syntax tree. */
export function toProgram(node: Node, isBackward: boolean, compilation: PatternCompilation): Program {
  const steps: Step[] = [{ type: 'found' }];

  function add(step: Step): number {
    take(compilation);
    return steps.push(step) - 1;
  }

  /** Index of the instruction at which a node begins, if `to` follows it. */
  function compile(part: Node, to: number): number {
    if (part.type === 'set') return add({ type: 'take', has: part.has, to });
    if (part.type === 'place') return add({ type: 'place', place: part.place, to });
    if (part.type === 'choice') return add({ type: 'split', to: part.nodes.map((each) => compile(each, to)) });
    if (part.type === 'repeat') return repeat(part, to);
    if (part.type === 'sequence') return sequence(part.nodes, to);
    // The positions where a look-ahead holds are found by reading the text backwards.
    const program = toProgram(part.node, !part.isBehind, compilation);
    return add({ type: 'look', look: { program, isNegative: part.isNegative }, to });
  }

  function sequence(parts: readonly Node[], to: number): number {
    const ordered = isBackward ? parts : parts.toReversed();
    return ordered.reduce((next, each) => compile(each, next), to);
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
      if (next === before) break; // repeats nothing
    }
    return next;
  }

  const start = compile(node, 0);
  return { steps, start, isBackward };
}
