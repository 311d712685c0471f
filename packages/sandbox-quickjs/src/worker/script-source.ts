/** The code of the user as a function, and the length of the prefix added to its first line. */
export interface WrappedScript {
  readonly source: string;
  readonly shift: number;
}

const head = `(async function () { 'use strict'; `;

/** Wraps code in an async function, preserving its line numbers and any trailing comment. */
export function wrapScript(code: string): WrappedScript {
  return { source: `${head}${withoutImports(code)}\n})`, shift: head.length };
}

/** True if a library that is not a script looks like a module. */
export function looksLikeModule(source: string): boolean {
  return /^[ \t]*(?:export|import)\b/m.test(source);
}

/** Replaces leading import declarations by calls of `import()`, because a function body cannot contain declarations. */
export function withoutImports(code: string): string {
  let at = 0;
  let written = '';
  for (;;) {
    const start = skipTrivia(code, at);
    const found = readImport(code, start);
    if (found === undefined) return written + code.slice(at);
    const lines = '\n'.repeat(code.slice(start, found.end).split('\n').length - 1);
    written += `${code.slice(at, start)}${found.source};${lines}`;
    at = found.end;
  }
}

/** White space and comments. */
const trivia = [/\s+/y, /\/\/[^\n]*/y, /\/\*[^]*?\*\//y];

function skipTrivia(code: string, from: number): number {
  let at = from;
  for (;;) {
    const next = trivia.map((each) => endOf(each, code, at)).find((end) => end > at);
    if (next === undefined) return at;
    at = next;
  }
}

function endOf(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(code) ? pattern.lastIndex : at;
}

/** Maximum length of an import declaration; text without a module name within that is something else. */
const longest = 5_000;

function readImport(code: string, start: number): { readonly source: string; readonly end: number } | undefined {
  if (!/^import[\s{*"']/.test(code.slice(start, start + 7))) return undefined;
  const text = code.slice(start, start + longest);
  const [whole, clause = '', module] =
    /^import\s*([^"'();]*?)(?:\bfrom\s*)?("[^"\n]*"|'[^'\n]*')[ \t]*;?/.exec(text) ?? [];
  if (whole === undefined || module === undefined) return undefined;
  const binding = bindingOf(clause.trim());
  if (binding === undefined) return undefined;
  return { source: binding(`await import(${module})`), end: start + whole.length };
}

/** Bindings that an import clause declares, for a given module. */
function bindingOf(clause: string): ((module: string) => string) | undefined {
  if (clause === '') return (module) => module;
  const [, first, rest] = /^([\w$]+)?\s*,?\s*([{*][^]*)?$/.exec(clause) ?? [];
  if (first === undefined && rest === undefined) return undefined;
  const own = first === undefined ? [] : [`default: ${first}`];
  if (rest === undefined) return (module) => `const { ${own.join()} } = ${module}`;
  const [, space] = /^\*\s*as\s+([\w$]+)$/.exec(rest) ?? [];
  if (space !== undefined)
    return (module) => `const ${space} = ${module}${own.length > 0 ? `, { ${own.join()} } = ${space}` : ''}`;
  const [, names] = /^\{([^{}]*)\}$/.exec(rest) ?? [];
  if (names === undefined) return undefined;
  const listed = names.split(',').map((name) => name.trim().replace(/^([\w$]+)\s+as\s+([\w$]+)$/, '$1: $2'));
  return (module) => `const { ${[...own, ...listed.filter((name) => name !== '')].join(', ')} } = ${module}`;
}
