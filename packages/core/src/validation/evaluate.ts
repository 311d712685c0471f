import type { Issue } from '../schema.ts';
import { enter, spend } from './work.ts';
import type { Work } from './work.ts';

/** A compiled schema. */
export interface Rule {
  readonly assertions: Assertion[];
  /** Whether `unevaluatedProperties` or `unevaluatedItems` of this schema asks for what the others have covered. */
  asksForCovered: boolean;
}

/** One keyword of a schema: whether a value satisfies it. */
export type Assertion = (value: unknown, visit: Visit) => boolean;

/** A schema meets a value. */
export interface Visit {
  readonly path: Path | undefined;
  /** Undefined inside of a union, whose failure is one issue. */
  readonly issues: Issue[] | undefined;
  /** Undefined if nobody asks. */
  readonly covered: Covered | undefined;
  readonly work: Work;
}

/** A place in a value, from the inside out. */
export interface Path {
  readonly key: string | number;
  readonly parent: Path | undefined;
}

/** The members of an object or array that a schema has evaluated, for the `unevaluated…` keywords. */
export interface Covered {
  readonly names: Set<string>;
  /** All items before this index. */
  items: number;
  readonly indices: Set<number>;
}

/** More issues help nobody. */
const mostIssues = 200;

/** Whether a value satisfies a schema. Issues are added to the visit's. */
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

/** The message of a failure of which the schema of its place says all; `explainIssues` leaves it out. */
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

/** A member of the value that is visited. */
export function inside({ path, issues, work }: Visit, key: string | number): Visit {
  return { path: { key, parent: path }, issues, work, covered: undefined };
}

/** The same value, without issues. What it covers counts if `cover` takes it over. */
export function quietly({ path, work, covered }: Visit): Visit {
  return { path, work, issues: undefined, covered: covered && newCovered() };
}

/** Takes over what a schema has covered that the value satisfies. */
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
