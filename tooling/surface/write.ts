// Prints a declaration with each name replaced by that of its declaration, regardless of its import.

import { type Declarations, type Reference, resolve, type Statement } from './declarations.ts';
import { isForeign, type ReadModule, resolveExport } from './exports.ts';
import { type Mention, mentionsIn } from './names.ts';

export interface Written {
  readonly text: string;
  readonly needs: readonly Reference[];
  /** Import lines. */
  readonly foreign: readonly string[];
}

export function writeStatement(statement: Statement, module: Declarations, read: ReadModule): Written {
  const needs: Reference[] = [];
  const foreign: string[] = [];
  let text = '';
  let from = statement.start;
  for (const mention of mentionsIn(statement)) {
    const { reference, rest } = referenceOf(mention, module);
    if (reference === undefined) continue;
    const { target } = resolveExport(reference, read);
    if (isForeign(target)) {
      if (mention.from === undefined) foreign.push(importLine(mention.parts[0] ?? '', target));
      continue;
    }
    needs.push(target);
    if (target.name === '*') continue; // `typeof namespace`: its members are declared
    text += module.text.slice(from, mention.start) + [target.name, ...rest].join('.');
    from = mention.end;
  }
  text += module.text.slice(from, statement.end);
  return { text: text.replace(/^declare (?=interface|type)/, ''), needs, foreign };
}

/** Module and name of a reference, with the remaining parts. */
function referenceOf({ parts, from }: Mention, { path, locals, imports }: Declarations) {
  const [first = '*', ...rest] = parts;
  if (from !== undefined) return { reference: { from: resolve(path, from), name: first }, rest };
  const imported = imports.get(first);
  if (imported?.name === '*' && rest[0] !== undefined && !isForeign(imported))
    return { reference: { from: imported.from, name: rest[0] }, rest: rest.slice(1) };
  if (imported !== undefined) return { reference: imported, rest };
  return { reference: locals.has(first) ? { from: path, name: first } : undefined, rest };
}

function importLine(local: string, { from, name }: Reference): string {
  if (name === '*') return `import * as ${local} from '${from}';`;
  return `import { ${name === local ? name : `${name} as ${local}`} } from '${from}';`;
}
