import type { SchemaIssue } from '../schema.ts';
import { enter, spend } from './work.ts';
import type { Work } from './work.ts';

/** A compiled schema. */
export interface Rule {
  readonly assertions: Assertion[];
  /** True if `unevaluatedProperties` or `unevaluatedItems` needs the coverage of the other keywords. */
  asksForCovered: boolean;
}

/** One keyword of a schema: true if the value satisfies it. */
export type Assertion = (value: unknown, visit: Visit) => boolean;

/** The evaluation of a schema against a value. */
export interface Visit {
  readonly path: Path | undefined;
  /** Undefined inside a union, whose failure is a single issue. */
  readonly issues: SchemaIssue[] | undefined;
  /** Undefined if no `unevaluated…` keyword needs it. */
  readonly covered: Covered | undefined;
  readonly work: Work;
}

/** A location in a value, innermost first. */
export interface Path {
  readonly key: string | number;
  readonly parent: Path | undefined;
}

/** The members of an object or array evaluated so far, for the `unevaluated…` keywords. */
export interface Covered {
  readonly names: Set<string>;
  /** All items below this index. */
  items: number;
  readonly indices: Set<number>;
}

/** Maximum number of issues to collect. */
const mostIssues = 200;

/** Evaluates a schema against a value: true if the value is valid. Adds issues to the visit's. */
export function evaluate(rule: Rule, value: unknown, visit: Visit): boolean {
  enter(visit.work);
  const inner = rule.asksForCovered ? { ...visit, covered: newCovered() } : visit;
  let isValid = true;
  for (const assertion of rule.assertions) {
    if (assertion(value, inner)) continue;
    isValid = false;
    if (visit.issues === undefined || visit.issues.length >= mostIssues) break;
  }
  visit.work.depth--;
  if (isValid && inner !== visit) cover(visit, inner);
  return isValid;
}

/** Message of a failure that the schema itself describes; `explainIssues` omits it. */
const plainly = 'Invalid input';

/** Reports a failure. */
export function fail({ issues, path }: Visit, message = plainly, key?: string): false {
  if (issues !== undefined && issues.length < mostIssues) {
    const keys: (string | number)[] = key === undefined ? [] : [key];
    for (let at = path; at !== undefined; at = at.parent) keys.unshift(at.key);
    issues.push({ path: keys, message });
  }
  return false;
}

/** The visit of a member of the value. */
export function inside({ path, issues, work }: Visit, key: string | number): Visit {
  return { path: { key, parent: path }, issues, work, covered: undefined };
}

/** A visit of the same value without issues. `cover` merges its coverage. */
export function quietly({ path, work, covered }: Visit): Visit {
  return { path, work, issues: undefined, covered: covered && newCovered() };
}

/** Merges the coverage of a schema that accepted the value. */
export function cover({ covered: into, work }: Visit, { covered: from }: Visit): void {
  if (into === undefined || from === undefined || into === from) return;
  spend(work, from.names.size + from.indices.size);
  for (const name of from.names) into.names.add(name);
  for (const index of from.indices) into.indices.add(index);
  into.items = Math.max(into.items, from.items);
}

function newCovered(): Covered {
  return { names: new Set(), items: 0, indices: new Set() };
}
