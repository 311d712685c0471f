import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, type StaticExportEntry } from 'oxc-parser';

/** What a module exports, sorted: `type A`, `value a`. */
export function readExports(path: string): string[] {
  if (!existsSync(path)) throw new Error(`There is no entry point ${path}.`);
  const { module, errors } = parseSync(path, readFileSync(path, 'utf8'));
  if (errors[0] !== undefined) throw new SyntaxError(`${path}: ${errors[0].message}`);
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  return entries.flatMap((entry) => namesOf(entry, path)).sort();
}

function namesOf({ exportName, isType, moduleRequest }: StaticExportEntry, path: string): string[] {
  if (exportName.name !== null) return [`${isType ? 'type' : 'value'} ${exportName.name}`];
  if (exportName.start !== null) return ['value default'];
  if (moduleRequest?.value.startsWith('.') !== true)
    throw new Error(`${path}: export * from another package cannot be pinned: name what it exports.`);
  return readExports(join(dirname(path), moduleRequest.value));
}
