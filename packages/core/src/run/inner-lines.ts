import type { PreparedCall } from '../call/prepare.ts';
import { subCallMark } from '../model/sub-call.ts';
import type { ToolResult } from '../tool/result.ts';

/** A call that a tool makes, while it is under way. */
export interface LiveCall {
  readonly name: string;
  readonly parentCallId: string;
  /** Its result, if it was cancelled before it began. */
  cancelled?: ToolResult;
  /** Ends its wait for the calls before it; set while it waits. */
  leave?: () => void;
}

export type Work = () => Promise<ToolResult>;

/** The lines in which calls that tools make wait for each other. */
export interface InnerLines {
  /** The work of a call, behind the calls that it has to wait for. */
  behind(call: LiveCall, ready: PreparedCall, work: Work): Work;
}

export function createInnerLines(): InnerLines {
  const lines = new Map<string, Promise<unknown>>();
  const counts = new Map<string, number>();

  /** All that changes something is one line; reads are as many as calls of the tool may run at once. */
  function lineOf({ name, effects, concurrency }: PreparedCall): string | undefined {
    if (effects !== 'read') return 'changes';
    if (concurrency === undefined) return undefined;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return `reads of ${name} ${count % Math.max(1, Math.trunc(concurrency))}`;
  }

  return {
    behind(call, ready, work) {
      const isNested = call.parentCallId.includes(subCallMark); // what it is called by has its turn already
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

/** A call that is cancelled while it waits for others has its result at once. */
function unlessCancelled(call: LiveCall, inTurn: Promise<ToolResult>): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    call.leave = () => call.cancelled && resolve(call.cancelled);
    call.leave();
    inTurn.then(resolve, reject);
  });
}
