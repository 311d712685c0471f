// Extracts the imports of a module: import, export … from, import(), the type import('…') and require().

import { parseSync, Visitor } from 'oxc-parser';

export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** `type` is erased by the compiler, `value` is loaded with the module, `lazy` when it is called. */
  readonly kind: 'type' | 'value' | 'lazy';
}

/** Throws if the text is not a module. */
export function readImports(path: string, text: string): Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const found: Import[] = [];
  const add = (kind: Import['kind'], source: { readonly start: number; readonly value: unknown } | null): void => {
    if (typeof source?.value === 'string')
      found.push({ kind, specifier: source.value, line: text.slice(0, source.start).split('\n').length });
  };
  new Visitor({
    // `import { type A } from 'a'` still loads 'a': only `import type` does not.
    ImportDeclaration: ({ importKind, source }) => add(importKind === 'type' ? 'type' : 'value', source),
    ExportNamedDeclaration: ({ exportKind, source }) => add(exportKind === 'type' ? 'type' : 'value', source),
    ExportAllDeclaration: ({ exportKind, source }) => add(exportKind === 'type' ? 'type' : 'value', source),
    ImportExpression: ({ source }) => add('lazy', source.type === 'Literal' ? source : null),
    TSImportType: ({ source }) => add('type', source),
    CallExpression: ({ callee, arguments: [source] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require')
        add('value', source?.type === 'Literal' ? source : null);
    },
  }).visit(program);
  return found;
}
