import { isObject } from '../../base/json.ts';

/** First difference between a stored entry and the one that a replay stores. */
export interface Difference {
  /** Path in the entry, such as `parts[0].input.path`; empty for the entry itself. */
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/**
 * Fields that a replay cannot reproduce: times, ids, seals of the app, and details that the thread does not record
 * fully.
 */
const volatile: ReadonlySet<string> = new Set([
  'id',
  'parentId',
  'questionId',
  'createdAt',
  'time',
  'durationMs',
  'seal',
  'fence',
  'toolFingerprint',
  'repairs',
]);

/** Fields compared for presence only. */
const presence: ReadonlySet<string> = new Set(['expiresAt', 'taintedBy']);

/** Fields with values of tools, models and people, compared completely. */
const free: ReadonlySet<string> = new Set(['input', 'output', 'userView', 'preview', 'answer', 'state', 'ends']);

const none: ReadonlySet<string> = new Set();

/** First difference; undefined if there is none. `ignored`: more fields of entries to ignore. */
export function differenceOf(expected: unknown, got: unknown, ignored: readonly string[] = []): Difference | undefined {
  return compare({ expected, got, field: '' }, new Set([...volatile, ...ignored]));
}

function compare({ expected, got, field }: Difference, left: ReadonlySet<string>): Difference | undefined {
  if (Array.isArray(expected) && Array.isArray(got)) return compareLists(expected, got, { field, left });
  if (!isObject(expected) || !isObject(got)) return Object.is(expected, got) ? undefined : { field, expected, got };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    if (left.has(name)) continue;
    const [before, now] = [expected[name], got[name]];
    if (presence.has(name) && left.size > 0 && (before === undefined) === (now === undefined)) continue;
    const place = { field: field === '' ? name : `${field}.${name}`, expected: before, got: now };
    const found = compare(place, free.has(name) ? none : left);
    if (found !== undefined) return found;
  }
  return undefined;
}

function compareLists(
  expected: readonly unknown[],
  got: readonly unknown[],
  { field, left }: { readonly field: string; readonly left: ReadonlySet<string> },
): Difference | undefined {
  for (let index = 0; index < Math.max(expected.length, got.length); index++) {
    const found = compare({ expected: expected[index], got: got[index], field: `${field}[${index}]` }, left);
    if (found !== undefined) return found;
  }
  return undefined;
}
