import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFiles } from '../workspace/members.ts';
import { limits } from './limits.ts';
import { measure, type Shape } from './measure.ts';

/** Declarations over a limit, except those allowed by `file name`. An unneeded allowance is a problem. */
export function findOversized(root: string, allowed: readonly string[]): readonly string[] {
  const files = findFiles(root, '{packages,apps,tooling}/**/*.{ts,tsx,js,mjs}', '*.{ts,mjs}');
  if (files.length === 0) throw new Error(`There are no sources in ${root}.`);
  const found = files.flatMap((file) => oversizedOf(file, readFileSync(join(root, file), 'utf8')));
  const stale = allowed.filter((key) => !found.some((each) => each.key === key));
  return [
    ...found.filter(({ key }) => !allowed.includes(key)).map(({ problem }) => problem),
    ...stale.map((key) => `${key}: no longer over a limit: remove it from tooling/shape/limits.ts`),
  ];
}

interface Oversized {
  readonly key: string;
  readonly problem: string;
}

function oversizedOf(file: string, text: string): readonly Oversized[] {
  return measure(file, text).flatMap((shape) =>
    excessesOf(shape).map((excess) => ({
      key: `${file} ${shape.name}`,
      problem: `${file}:${shape.line}: ${shape.name} has ${excess}`,
    })),
  );
}

function excessesOf(shape: Shape): readonly string[] {
  return Object.entries(limits).flatMap(([measured, { most, noun, advice }]) => {
    const count = shape[measured as keyof typeof limits];
    return count <= most ? [] : [`${count} ${noun}, over the limit of ${most}: ${advice}`];
  });
}
