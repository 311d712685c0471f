// The files of pins/.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';

type Texts = ReadonlyMap<string, string>;

export function readPins(folder: string): Texts {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

export function writePins(folder: string, texts: Texts): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of texts) writeFileSync(join(folder, name), text);
}

/** A patch for each text that was changed, added or removed. */
export function comparePins(before: Texts, after: Texts): readonly string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.filter((name) => before.get(name) !== after.get(name)).map((name) => patchOf(name, before, after));
}

function patchOf(name: string, before: Texts, after: Texts): string {
  const patch = createTwoFilesPatch(name, name, before.get(name) ?? '', after.get(name) ?? '', undefined, undefined, {
    context: 2,
    headerOptions: OMIT_HEADERS,
  });
  return `${name}\n${patch.trimEnd()}`;
}
