import type { PreparedCall } from '../../call/prepare.ts';
import { subCallMark } from '../../model/sub-call.ts';
import type { ToolResult } from '../../tool/result.ts';

/** An inner call under way. */
export interface LiveCall {
  readonly name: string;
  readonly parentCallId: string;
  /** Result of a cancellation before it began. */
  cancelled?: ToolResult;
  /** Ends its wait for earlier calls; set while it waits. */
  leave?: () => void;
}

export type Work = () => Promise<ToolResult>;

/** Queues in which inner calls wait for each other. */
export interface InnerLines {
  /** Runs a call after the calls that it must wait for. */
  behind(call: LiveCall, ready: PreparedCall, work: Work): Work;
}

export function createInnerLines(): InnerLines {
  const lines = new Map<string, Promise<unknown>>();
  const counts = new Map<string, number>();

  /** All writes share one queue; reads are limited by the concurrency of their tool. */
  function lineOf({ name, effects, concurrency }: PreparedCall): string | undefined {
    if (effects !== 'read') return 'changes';
    if (concurrency === undefined) return undefined;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `reads of ${name} ${count % Math.max(1, Math.trunc(concurrency))}`;
  }

  return {
    behind(call, ready, work) {
      const isNested = call.parentCallId.includes(subCallMark); // its caller holds the queue already
      const line = isNested ? undefined : lineOf(ready);
      if (line === undefined) return work;
      return () => {
        const inTurn = (lines.get(line) ?? Promise.resolve()).then(work, work);
        lines.set(line, inTurn);
        return unlessCancelled(call, inTurn);
      };
    },
  };
}

/** A call that is cancelled while it waits returns its result at once. */
function unlessCancelled(call: LiveCall, inTurn: Promise<ToolResult>): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    call.leave = () => call.cancelled && resolve(call.cancelled);
    call.leave();
    inTurn.then(resolve, reject);
  });
}
