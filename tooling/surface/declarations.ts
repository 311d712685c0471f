// Parses a module of declarations: its declarations, imports and exports.

import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

type Program = ReturnType<typeof parseSync>['program'];
export type Statement = Program['body'][number];

/** A name of another module; `*` for all. */
export interface Reference {
  /** Path of a source, or name of a package. */
  readonly from: string;
  readonly name: string;
}

export interface Exported extends Reference {
  readonly isType: boolean;
}

export interface Declarations {
  readonly path: string;
  readonly text: string;
  readonly locals: ReadonlyMap<string, readonly Statement[]>;
  readonly imports: ReadonlyMap<string, Reference>;
  readonly exports: ReadonlyMap<string, Exported>;
  /** Modules that are re-exported completely. */
  readonly stars: readonly string[];
  /** Additions to foreign declarations: `declare global`. */
  readonly augmentations: readonly Statement[];
}

/** Parses the declarations of the source at `path`. */
export function readDeclarations(path: string, text: string): Declarations {
  const { program, errors } = parseSync(`${path}.d.ts`, text);
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const locals = new Map<string, Statement[]>();
  const imports = new Map<string, Reference>();
  const exports = new Map<string, Exported>();
  const stars: string[] = [];
  const augmentations: Statement[] = [];
  const declare = (statement: Statement, isExported: boolean): void => {
    for (const name of namesOf(statement)) {
      locals.set(name, [...(locals.get(name) ?? []), statement]);
      if (isExported) exports.set(name, { from: path, name, isType: false });
    }
  };
  for (const statement of program.body)
    switch (statement.type) {
      case 'ImportDeclaration':
        for (const each of statement.specifiers)
          imports.set(each.local.name, {
            from: resolve(path, statement.source.value),
            name:
              each.type === 'ImportSpecifier'
                ? nameOf(each.imported)
                : each.type === 'ImportDefaultSpecifier'
                  ? 'default'
                  : '*',
          });
        break;
      case 'ExportAllDeclaration':
        if (statement.exported === null) stars.push(resolve(path, statement.source.value));
        else
          exports.set(nameOf(statement.exported), {
            from: resolve(path, statement.source.value),
            name: '*',
            isType: statement.exportKind === 'type',
          });
        break;
      case 'ExportNamedDeclaration':
        if (statement.declaration !== null) declare(statement.declaration, true);
        for (const each of statement.specifiers)
          exports.set(nameOf(each.exported), {
            from: statement.source === null ? path : resolve(path, statement.source.value),
            name: nameOf(each.local),
            isType: statement.exportKind === 'type' || each.exportKind === 'type',
          });
        break;
      case 'ExportDefaultDeclaration':
        throw new Error(`${path}: a default export cannot be pinned: give it a name.`);
      case 'TSModuleDeclaration':
        augmentations.push(statement);
        break;
      default:
        declare(statement, false);
    }
  return { path, text, locals, imports, exports, stars, augmentations };
}

/** Resolves a relative specifier; package names are unchanged. */
export function resolve(path: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(path), specifier) : specifier;
}

function namesOf(statement: Statement): readonly string[] {
  switch (statement.type) {
    case 'VariableDeclaration':
      return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
    case 'TSDeclareFunction':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return statement.id === null ? [] : [statement.id.name];
    default:
      return [];
  }
}

function nameOf(node: { readonly name: string } | { readonly value: string }): string {
  return 'name' in node ? node.name : node.value;
}
