// Rolls up the declarations of an entry point: its exports, and all declarations that they need, independent of order
// and files.

import type { Reference, Statement } from './declarations.ts';
import { type Export, exportsOf, isForeign, type ReadModule } from './exports.ts';
import { writeStatement } from './write.ts';

/** Declarations of an entry point, as one module. */
export function rollUp(entry: string, read: ReadModule): string {
  const exported = exportsOf(entry, read);
  const targets = [...exported.values()].map(({ target }) => target);
  const { declarations, imports } = reach(targets, read);
  const plain = new Set(
    [...exported].filter(([name, each]) => isPlain(name, each, read)).map(([, each]) => keyOf(each.target)),
  );
  const renamed = [...exported].filter(([name, each]) => !isPlain(name, each, read));
  const texts = declarations.map(({ key, text }) => (plain.has(key) ? `export ${text}` : text));
  const lines = renamed.map(([name, each]) => exportLine(name, each, read));
  const parts = [[...imports].sort().join('\n'), lines.sort().join('\n'), ...new Set(texts)];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** True if an export needs only the keyword `export` before its declaration. */
function isPlain(name: string, { target, isType }: Export, read: ReadModule): boolean {
  const [statement] = statementsOf(target, read);
  return statement !== undefined && target.name === name && (!isType || isOnlyType(statement));
}

function exportLine(name: string, { target, isType }: Export, read: ReadModule): string {
  const kind = isType ? 'export type' : 'export';
  const from = isForeign(target) ? ` from '${target.from}'` : '';
  if (target.name !== '*') return `${kind} { ${target.name === name ? name : `${target.name} as ${name}`} }${from};`;
  if (from !== '') return `${kind} * as ${name}${from};`;
  return `${kind} { ${[...exportsOf(target.from, read).keys()].sort().join(', ')} } as ${name};`;
}

interface Declaration {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/** All declarations needed by some names, sorted by name, with their imports from other packages. */
function reach(names: readonly Reference[], read: ReadModule) {
  const declarations: Declaration[] = [];
  const imports = new Set<string>();
  const open = [...names];
  const seen = new Set<string>();
  const add = (name: Reference, statements: readonly Statement[]): void => {
    const key = keyOf(name);
    if (seen.has(key)) return;
    seen.add(key);
    for (const statement of statements) {
      const { text, needs, foreign } = writeStatement(statement, read(name.from), read);
      declarations.push({ key, name: name.name, text });
      open.push(...needs);
      for (const line of foreign) imports.add(line);
    }
  };
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (isForeign(name)) continue;
    if (name.name === '*') open.push(...[...exportsOf(name.from, read).values()].map(({ target }) => target));
    else add(name, statementsOf(name, read));
    add({ from: name.from, name: 'declare' }, read(name.from).augmentations);
  }
  return { declarations: declarations.sort(byName), imports };
}

/** By name; texts with the same name keep their order, for overloads. */
function byName(a: Declaration, b: Declaration): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.key === b.key || a.text === b.text) return 0;
  return a.text < b.text ? -1 : 1;
}

function statementsOf(target: Reference, read: ReadModule): readonly Statement[] {
  return isForeign(target) || target.name === '*' ? [] : (read(target.from).locals.get(target.name) ?? []);
}

function isOnlyType({ type }: Statement): boolean {
  return type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration';
}

function keyOf({ from, name }: Reference): string {
  return `${from} ${name}`;
}
