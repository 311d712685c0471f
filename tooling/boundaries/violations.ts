import { posix } from 'node:path';
import { readMembers } from '../workspace/members.ts';
import { type Edge, findCycles } from './cycles.ts';
import type { Import } from './imports.ts';
import { judgePlace, judgeRoom } from './rooms.ts';
import { judge, type Verdict } from './rules.ts';
import { readSources, type Source } from './sources.ts';
import { findTestOnly } from './test-only.ts';

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/** All violations in the workspace at `root`. Throws if there are no sources. */
export function findViolations(root: string): Violation[] {
  const members = readMembers(root);
  const sources = members.flatMap((member) => readSources(root, member));
  if (sources.length === 0) throw new Error(`There are no sources in ${root}.`);
  const wrong = sources.flatMap((source) => [
    ...violation(judgePlace(source), source.path, 1),
    ...source.imports.flatMap((each) =>
      violation(judge(each, source, { root, members }) ?? judgeRoom(each, source), source.path, each.line),
    ),
  ]);
  const graph = graphOf(sources);
  return [...wrong, ...findTestOnly(sources, graph).flatMap(testOnly), ...findCircles(graph)];
}

function testOnly({ path, member }: Source): readonly Violation[] {
  const message = `only tests import it: move it to ${member.folder}/src/test-kit`;
  return [{ file: path, line: 1, rule: 'test-only', message }];
}

function violation(verdict: Verdict, file: string, line: number): readonly Violation[] {
  return verdict === undefined ? [] : [{ file, line, rule: verdict[0], message: verdict[1] }];
}

function findCircles(graph: ReadonlyMap<string, readonly Edge[]>): Violation[] {
  return findCycles(graph).map(({ path, line }) => ({
    file: path.at(-2) ?? '',
    line,
    rule: 'cycle',
    message: `${path.join(' → ')}: move what both need to a file of its own`,
  }));
}

/** Imports of each file, including types and lazy imports. */
function graphOf(sources: readonly Source[]): Map<string, Edge[]> {
  return new Map(sources.map((source) => [source.path, source.imports.flatMap((each) => edgeOf(each, source.path))]));
}

function edgeOf({ specifier, line }: Import, path: string): Edge[] {
  if (!specifier.startsWith('.')) return [];
  return [{ to: posix.join(posix.dirname(path), specifier.replace(/\?.*/, '')), line }];
}
