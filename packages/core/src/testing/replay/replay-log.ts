import { subCallMark } from '../../model/sub-call.ts';
import { branchThread } from '../../thread/branch.ts';
import type { StoredEntry, ThreadEntry } from '../../thread/entry.ts';
import { innerLogsIn } from '../../thread/inner-log.ts';
import { memoryThread } from '../../thread/memory-thread.ts';
import type { Thread } from '../../thread/thread.ts';
import { describe, nameOf } from './describe.ts';
import { insideOf } from './expectation.ts';
import type { Unexpected } from './expectation.ts';
import type { SegmentSetup } from './replay-options.ts';
import type { Script } from './script.ts';
import type { Stage } from './stage.ts';

/** The thread as the process found it. Appends are compared before they are stored. */
export async function threadFor(setup: SegmentSetup, stage: Stage): Promise<Thread> {
  const { segment } = setup;
  const inner = memoryThread(setup.threadId);
  const before = withoutReplays(segment.before, stage.script).map(({ entry }) => entry);
  await inner.append([...before, ...(segment.draft ? [{ type: 'draft', message: segment.draft } as const] : [])]);
  const thread: Thread = {
    ...inner,
    async append(entries, options) {
      if (stage.isOver) return 0;
      for (const entry of entries) take(stage, entry);
      return stage.isOver ? 0 : inner.append(entries, options);
    },
  };
  return segment.tip === undefined ? thread : branchThread(thread, segment.tip);
}

function take(stage: Stage, entry: ThreadEntry): void {
  stage.activity++;
  if (stage.isOver) return;
  const turn = stage.script.turns[stage.asked - 1]?.id;
  const unexpected = stage.expectation.meet(entry, turn);
  if (unexpected === undefined || isBehindKill(stage, unexpected)) return;
  const { expected, got, difference } = unexpected;
  const { callId } = describe(got);
  const place = expected === undefined ? {} : { entry: expected.position };
  stage.diverge({
    message: sentence(unexpected),
    ...place,
    ...(callId !== undefined && { callId }),
    ...(difference.field !== '' && { field: difference.field }),
    expected: difference.expected,
    got: difference.got,
  });
}

/** A killed process would have stored more. */
function isBehindKill({ segment }: Stage, { expected }: Unexpected): boolean {
  return expected === undefined && segment.end === undefined;
}

function sentence({ expected, got, difference: { field, expected: before, got: now } }: Unexpected): string {
  if (expected === undefined) return `${describe(got).text} is stored; the thread has no such entry here.`;
  return `${nameOf(expected)}: ${field === '' ? 'it' : field} is ${shown(now)}; stored is ${shown(before)}.`;
}

function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : (JSON.stringify(value) ?? String(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Calls of tools that are not executed cannot repeat their inner calls: they begin as if they had made none. */
function withoutReplays(before: readonly StoredEntry[], { results }: Script): readonly StoredEntry[] {
  const logs = innerLogsIn(before);
  const again = new Set([...logs].flatMap(([callId, { isOpen }]) => (!isOpen && results.has(callId) ? callId : [])));
  if (again.size === 0) return before;
  const questions = new Map(before.flatMap(({ entry }) => (entry.type === 'question' ? [[entry.id, entry]] : [])));
  return before.filter(({ entry }) => {
    const inside = insideOf(entry, questions);
    if (inside !== undefined) return !again.has(inside);
    return !(entry.type === 'call-begun' && again.has(entry.callId.split(subCallMark)[0] ?? ''));
  });
}
