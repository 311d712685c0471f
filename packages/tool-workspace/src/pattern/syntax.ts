import { UtensilError } from '@utensil/core';

/** Syntax node of a regular expression. Lines are searched one by one, so there are no nodes for line breaks. */
export type Node =
  | { readonly type: 'character'; readonly text: string }
  | { readonly type: 'set'; has(character: string): boolean }
  | { readonly type: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly type: 'choice'; readonly nodes: readonly Node[] }
  | { readonly type: 'repeat'; readonly node: Node; readonly least: number; readonly most: number }
  | { readonly type: 'place'; readonly place: Place };

/** Start or end of the line, or a word boundary. */
export type Place = '^' | '$' | 'b' | 'B';

const longestPattern = 2_000;
const mostRepeats = 1_000;
const deepest = 100;

/**
 * Parses the common subset of JavaScript and Rust regular expressions: without look-around and back-references, so that
 * matching takes linear time. Throws `EINVAL`.
 */
export function parsePattern(pattern: string, ignoreCase: boolean): Node {
  const inline = /^\(\?i\)/.exec(pattern);
  const source = Array.from(inline === null ? pattern : pattern.slice(inline[0].length));
  const folds = ignoreCase || inline !== null;
  const refuse = (hint: string): never => {
    throw new UtensilError('EINVAL', `EINVAL: invalid pattern, '${pattern.slice(0, 200)}'. ${hint}`);
  };
  if (pattern.length > longestPattern) refuse(`A pattern may have at most ${longestPattern} characters.`);
  let at = 0;
  let depth = 0;

  function choice(): Node {
    if (++depth > deepest) refuse(`Groups are at most ${deepest} deep.`);
    const nodes = [sequence()];
    while (source[at] === '|') {
      at++;
      nodes.push(sequence());
    }
    depth--;
    return nodes.length === 1 ? (nodes[0] as Node) : { type: 'choice', nodes };
  }

  function sequence(): Node {
    const nodes: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(repeated(one()));
    return { type: 'sequence', nodes };
  }

  function one(): Node {
    const character = source[at++] ?? '';
    if (character === '(') return group();
    if (character === '[') return characterClass();
    if (character === '.') return { type: 'set', has: () => true };
    if (character === '^' || character === '$') return { type: 'place', place: character };
    if (character === '\\') return escaped();
    if ('*+?'.includes(character)) refuse(`There is nothing before '${character}' to repeat: write \\${character}.`);
    return literal(character);
  }

  function literal(character: string): Node {
    if (character === '\n') refuse('Lines are searched one by one: search for one of them.');
    return folds && character.toLowerCase() !== character.toUpperCase()
      ? setOf(escapedForClass(character))
      : { type: 'character', text: character };
  }

  function group(): Node {
    const rest = source.slice(at, at + 40).join('');
    const head = /^\?(?::|P?<[A-Za-z_]\w*>)/.exec(rest);
    if (head === null && rest.startsWith('?'))
      refuse('Look-around and flags within a pattern are not supported: use plain groups.');
    at += head?.[0].length ?? 0;
    const inner = choice();
    if (source[at++] !== ')') refuse("A '(' has no ')'. The character itself is \\(.");
    return inner;
  }

  function escaped(): Node {
    const character = source[at++];
    if (character === undefined) return refuse('It ends in a backslash. The character itself is \\\\.');
    if (character === 'b' || character === 'B') return { type: 'place', place: character };
    if (character === 'A') return { type: 'place', place: '^' };
    if (character === 'z' || character === 'Z') return { type: 'place', place: '$' };
    if (/\d/.test(character) && character !== '0') refuse('Back-references are not supported.');
    if (character === 'n') refuse('Lines are searched one by one, so \\n never matches.');
    if (/\W/.test(character) || character === '_') return literal(character);
    return setOf(`\\${character}${operand(character)}`);
  }

  /** Operand of an escape: `{L}` of `\p{L}`, `41` of `\x41`. */
  function operand(character: string): string {
    const rest = source.slice(at, at + 60).join('');
    const found = { p: /^\{[\w=]+\}/, P: /^\{[\w=]+\}/, x: /^[\da-f]{2}/i, u: /^(?:[\da-f]{4}|\{[\da-f]{1,6}\})/i };
    const text = Object.hasOwn(found, character) ? (found[character as 'p'].exec(rest)?.[0] ?? '') : '';
    at += text.length;
    return text;
  }

  function characterClass(): Node {
    let text = '';
    if (source[at] === '^') text += source[at++];
    if (source[at] === ']') text += `\\${source[at++]}`;
    for (; source[at] !== ']'; at++) {
      const character = source[at] ?? refuse("A '[' has no ']'. The character itself is \\[.");
      if (character === '[' && source[at + 1] === ':')
        refuse('Named classes are not supported: use \\w, \\d, \\p{L} …');
      text += character === '\\' ? classEscape(source[++at] ?? '') : character === '[' ? '\\[' : character;
    }
    at++;
    return setOf(text);
  }

  function setOf(text: string): Node {
    try {
      const expression = new RegExp(`^[${text}]$`, folds ? 'iu' : 'u');
      return { type: 'set', has: (character) => expression.test(character) };
    } catch {
      return refuse(`'${text}' is not a character class.`);
    }
  }

  function repeated(node: Node): Node {
    const rest = source.slice(at, at + 20).join('');
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(rest)?.[0];
    if (found === undefined) return node;
    at += found.length;
    if (source[at] === '?') at++; // laziness is irrelevant, because only the existence of a match counts
    const [least, most] = bounds(found);
    if (least > most) refuse('The minimum of a repetition is greater than its maximum.');
    if (Math.max(least, most === Infinity ? 0 : most) > mostRepeats)
      refuse(`It repeats more than ${mostRepeats} times.`);
    return repeated({ type: 'repeat', node, least, most });
  }

  const node = choice();
  if (at < source.length) refuse("A ')' has no '('. The character itself is \\).");
  return node;
}

function bounds(quantifier: string): readonly [least: number, most: number] {
  if (quantifier === '*') return [0, Infinity];
  if (quantifier === '+') return [1, Infinity];
  if (quantifier === '?') return [0, 1];
  const [least = '0', most] = quantifier.slice(1, -1).split(',');
  return [Number(least), most === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
}

/** In a class, an unknown escape is the character itself. */
function classEscape(character: string): string {
  return /[\w^$\\.*+?()[\]{}|/-]/.test(character) && character !== '_' ? `\\${character}` : character;
}

function escapedForClass(character: string): string {
  return /[\\\]^-]/.test(character) ? `\\${character}` : character;
}
