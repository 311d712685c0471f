// Measures declarations of a module: own lines, positional parameters, type parameters.

import { parseSync, Visitor } from 'oxc-parser';

/** A function, a signature, or a generic type. */
export interface Shape {
  readonly name: string;
  readonly line: number;
  /** Lines of code outside of nested functions. A signature has none. */
  readonly ownLines: number;
  /** Positional parameters of a signature; oxlint's `max-params` covers functions with a body. */
  readonly parameters: number;
  readonly typeParameters: number;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Declaration extends Range {
  readonly kind: 'function' | 'signature' | 'type';
  readonly name?: string | undefined;
  readonly parameters: number;
  readonly typeParameters: number;
}

interface Node extends Range {
  readonly id?: object | null;
  readonly params?: readonly unknown[];
  readonly typeParameters?: { readonly params: readonly unknown[] } | null;
}

/** Shape of each declaration, in source order. Throws if the text cannot be parsed. */
export function measure(path: string, text: string): readonly Shape[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const declarations = declarationsOf(program, text);
  const functions = declarations.filter(({ kind }) => kind === 'function');
  const code = blank(text, comments);
  return declarations.map((each) => ({
    name: each.name ?? 'an anonymous function',
    line: text.slice(0, each.start).split('\n').length,
    ownLines: each.kind === 'function' ? countOwnLines(code, each, functions) : 0,
    parameters: each.kind === 'signature' ? each.parameters : 0,
    typeParameters: each.typeParameters,
  }));
}

function declarationsOf(program: ReturnType<typeof parseSync>['program'], text: string): readonly Declaration[] {
  const found: Declaration[] = [];
  const names = new Map<number, string>();
  const give = (value: Range | null | undefined, { start, end }: Range): void => {
    if (value) names.set(value.start, text.slice(start, end));
  };
  const add =
    (kind: Declaration['kind']) =>
    ({ start, end, id, params = [], typeParameters }: Node): void => {
      const name = id && 'name' in id ? String(id.name) : names.get(start);
      found.push({
        kind,
        start,
        end,
        name,
        parameters: params.length,
        typeParameters: typeParameters?.params.length ?? 0,
      });
    };
  new Visitor({
    VariableDeclarator: ({ id, init }) => give(init, { start: id.start, end: id.typeAnnotation?.start ?? id.end }),
    CallExpression: ({ callee, arguments: given }) => {
      const [title] = given;
      const callback = given.find(({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression');
      if (!callback || callee.type !== 'Identifier') return;
      const about = title?.type === 'Literal' ? ` ${String(title.raw)}` : '';
      names.set(callback.start, `the callback of ${callee.name}${about}`);
    },
    Property: ({ key, value }) => give(value, key),
    PropertyDefinition: ({ key, value }) => give(value, key),
    MethodDefinition: ({ key, value }) => give(value, key),
    TSPropertySignature: ({ key, typeAnnotation }) => give(typeAnnotation?.typeAnnotation, key),
    TSMethodSignature: (node) => {
      give(node, node.key);
      add('signature')(node);
    },
    FunctionDeclaration: add('function'),
    FunctionExpression: add('function'),
    ArrowFunctionExpression: add('function'),
    TSDeclareFunction: add('signature'),
    TSEmptyBodyFunctionExpression: add('signature'),
    TSFunctionType: add('signature'),
    TSConstructorType: add('signature'),
    TSCallSignatureDeclaration: add('signature'),
    TSConstructSignatureDeclaration: add('signature'),
    TSTypeAliasDeclaration: add('type'),
    TSInterfaceDeclaration: add('type'),
    ClassDeclaration: add('type'),
    ClassExpression: add('type'),
  }).visit(program);
  return found.sort((a, b) => a.start - b.start);
}

function countOwnLines(code: string, own: Range, functions: readonly Range[]): number {
  const nested = functions.filter((each) => each !== own && each.start >= own.start && each.end <= own.end);
  const rest = blank(
    code,
    nested.map((each) => withClosing(code, each)),
  ).slice(own.start, own.end);
  return rest.split('\n').filter((line) => line.trim() !== '').length;
}

/** A long nested function with the closing part of its expression: `});` does not count as a line. */
function withClosing(code: string, { start, end }: Range): Range {
  const closing = /^[)\]},; ]*(?=\n)/.exec(code.slice(end, end + 20))?.[0] ?? '';
  return { start, end: code.slice(start, end).includes('\n') ? end + closing.length : end };
}

/** Replaces ranges of the text by spaces, and keeps the lines. */
function blank(text: string, ranges: readonly Range[]): string {
  return ranges.reduce(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, ' ') + rest.slice(end),
    text,
  );
}
