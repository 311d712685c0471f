/** Syntax tree of an ECMA-262 regular expression with the flag `u`. */
export type Node =
  | { readonly type: 'set'; has(character: string): boolean }
  | { readonly type: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly type: 'choice'; readonly nodes: readonly Node[] }
  | { readonly type: 'repeat'; readonly node: Node; readonly least: number; readonly most: number }
  | { readonly type: 'place'; readonly place: Place }
  | { readonly type: 'look'; readonly node: Node; readonly isBehind: boolean; readonly isNegative: boolean };

/** Start or end of the text, or a word boundary. */
export type Place = '^' | '$' | 'b' | 'B';

/** Compiler of a schema's patterns. */
export interface PatternCompilation {
  /** Remaining budget of nodes and instructions: a short pattern can expand to very many. */
  readonly room: { left: number };
  /** Rejects a pattern, with the reason and an alternative. */
  refuse(problem: string, advice: string): never;
}

/** Takes a node or an instruction from the budget. */
export function take(compilation: PatternCompilation): void {
  if (compilation.room.left-- > 0) return;
  compilation.refuse('has patterns that are too large', 'repeat less in them, or use "maxLength"');
}

const longest = 5_000;
const deepestGroup = 50;

/** Parses a pattern. Rejects invalid ones, and back-references, which no engine matches in linear time. */
export function parsePattern(source: string, compilation: PatternCompilation): Node {
  const { refuse } = compilation;
  if (source.length > longest) refuse('has a pattern that is too long', `write at most ${longest} characters`);
  assertValid(source, refuse);
  let at = 0;
  let depth = 0;

  function choice(): Node {
    if (++depth > deepestGroup) refuse('has a pattern with deep groups', `nest at most ${deepestGroup}`);
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
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(quantified(one()));
    return { type: 'sequence', nodes };
  }

  function one(): Node {
    take(compilation);
    const token = tokens.exec(source.slice(at))?.[0] ?? '';
    at += token.length;
    if (token.startsWith('(')) return group(token);
    if (token === '^' || token === '$') return { type: 'place', place: token };
    if (token === '\\b' || token === '\\B') return { type: 'place', place: token === '\\b' ? 'b' : 'B' };
    if (/^\\[1-9k]/.test(token)) {
      refuse(
        `has a pattern that refers back to a group (${token})`,
        'write it without, or bring a validator of your own',
      );
    }
    return { type: 'set', has: setOf(token) };
  }

  function group(head: string): Node {
    if (head === '(?') refuse('has a pattern with flags in a group', 'write it without flags');
    const node = choice();
    at++; // its ')'
    const isBehind = head.startsWith('(?<');
    return /[=!]$/.test(head) ? { type: 'look', node, isBehind, isNegative: head.endsWith('!') } : node;
  }

  function quantified(node: Node): Node {
    const [all = '', kind, least = '', comma, most = ''] = quantifier.exec(source.slice(at, at + 40)) ?? [];
    if (all === '') return node;
    at += all.length;
    const upTo = comma === undefined ? Number(least) : most === '' ? Infinity : Number(most);
    return { type: 'repeat', node, ...(ranges[kind ?? ''] ?? { least: Number(least), most: upTo }) };
  }

  return choice();
}

/** Parses the head of a group, a class, an escape, or a character. */
const tokens =
  /^(?:\((?:\?(?::|<?[=!]|<[^>=!]+>)?)?|\[(?:\\.|[^\]\\])*\]|\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|u\{[\da-fA-F]+\}|x[\da-fA-F]{2}|[pP]\{[^}]*\}|c[a-zA-Z]|k<[^>]*>|\d+|.)|.)/su;

const ranges: { readonly [kind: string]: { readonly least: number; readonly most: number } } = {
  '*': { least: 0, most: Infinity },
  '+': { least: 1, most: Infinity },
  '?': { least: 0, most: 1 },
};

/** Laziness is ignored: it does not affect whether there is a match. */
const quantifier = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/;

function assertValid(source: string, refuse: PatternCompilation['refuse']): void {
  try {
    void new RegExp(source, 'u');
  } catch {
    refuse(
      `has an invalid pattern, ${JSON.stringify(source.slice(0, 100))}`,
      'write it as for new RegExp(pattern, "u")',
    );
  }
}

/** A character set, evaluated by the platform. ASCII is tabulated once. */
function setOf(source: string): (character: string) => boolean {
  if (!/^[\\[.]/.test(source)) return (character) => character === source;
  const expression = new RegExp(`^${source}$`, 'u');
  const ascii: (boolean | undefined)[] = [];
  return (character) => {
    const code = character.charCodeAt(0);
    return code < 128 ? (ascii[code] ??= expression.test(character)) : expression.test(character);
  };
}
