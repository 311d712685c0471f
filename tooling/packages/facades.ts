// An entry that only re-exports, taken apart into one facade for each module that it names. A bundler that splits code
// follows the imports of every file that it keeps, used or not: from `export { … } from` lines to all of their modules,
// but from `export *` only to the facades, of which it keeps those with a name that the program needs.

import { basename, dirname, join } from 'node:path/posix';
import { parseSync, type Statement } from 'oxc-parser';

/** A module that re-exports the values that an entry takes from one other module. */
export interface Facade {
  /** File name without the suffix. */
  readonly name: string;
  readonly text: string;
}

/** Facades of an entry; none if it has code of its own, or takes its values from a single module. */
export function facadesOf(text: string, entry: string): readonly Facade[] {
  const statements = parseSync(`${entry}.ts`, text).program.body.filter((statement) => !isOfTypes(statement));
  const lines = new Map<string, string[]>();
  for (const statement of statements) {
    const source = sourceOf(statement);
    if (source === undefined) return [];
    lines.set(source, [...(lines.get(source) ?? []), text.slice(statement.start, statement.end)]);
  }
  if (lines.size < 2) return [];
  return [...lines].map(([source, found]) => ({ name: `${entry}.${nameOf(source)}`, text: `${found.join('\n')}\n` }));
}

/** True if an entry consists of `export *` lines only: it defines its own parts. */
export function isOfParts(text: string): boolean {
  return parseSync('entry.ts', text).program.body.every(({ type }) => type === 'ExportAllDeclaration');
}

function isOfTypes(statement: Statement): boolean {
  switch (statement.type) {
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return statement.exportKind === 'type';
    case 'ImportDeclaration':
      return statement.importKind === 'type';
    default:
      return false;
  }
}

/** The module that a statement re-exports; undefined for other statements. */
function sourceOf(statement: Statement): string | undefined {
  if (statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportAllDeclaration') return undefined;
  return statement.source?.value;
}

/** `./files/edit/index.ts` becomes `files-edit-index`. */
function nameOf(source: string): string {
  return join(dirname(source), basename(source, '.ts'))
    .replace(/[^\w/-]/g, '')
    .replaceAll('/', '-');
}
