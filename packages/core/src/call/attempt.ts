import { startTimer } from '../base/pauses.ts';
import type { Pauses } from '../base/pauses.ts';
import type { Tool } from '../tool/tool.ts';
import { cancelledText, failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';

/** One execution of a tool. */
export interface Attempt {
  /** True once the call has ended or was abandoned. */
  isOver: boolean;
  /** Result that replaces the tool's output once the call is cancelled. */
  givenUp?: ToolResult | undefined;
  /** Cancels the attempt from outside. Created only for an asynchronous tool, or one that reads its signal. */
  watch?: Watch | undefined;
}

/** The time of a call, and the signal of its run. */
export interface Watch {
  /** Fires when the call is cancelled. */
  readonly signal: AbortSignal;
  /** Settles with the work, the end of its time or the abort, whichever is first. */
  wait(work: unknown): Promise<unknown>;
  end(): void;
}

/** The way to cancel one call while its run goes on. */
export interface Cancellation {
  /** Result that replaces the tool's output once the call is cancelled. */
  result?: ToolResult;
  /** Cancels the call. Set while the tool runs. */
  giveUp?: ((reason: unknown) => void) | undefined;
}

/** The bounds of a call in time. */
export interface CallBounds {
  /** Fires when the run is aborted. */
  readonly signal: AbortSignal;
  /** Milliseconds a tool may take where it says nothing itself; 0: no limit. Default 60,000. */
  readonly timeoutMs?: number;
  /** Cancels this call alone. */
  readonly cancellation?: Cancellation;
  /** The time that people take to answer what is asked inside the call: it is not the tool's. */
  readonly pauses?: Pauses;
  /** The tool ended after its time was over or its run aborted; what it returned is discarded. */
  late?(): void;
}

/** Begins to watch over an attempt. */
export function watchOver(
  attempt: Attempt,
  tool: Pick<Tool, 'name' | 'timeoutMs'>,
  { signal, timeoutMs, cancellation, pauses = {}, late }: CallBounds,
): Watch {
  const ms = tool.timeoutMs ?? timeoutMs ?? 60_000;
  const controller = new AbortController();
  const over = (): void => giveUp(timedOut(ms), new Error(`The tool's ${ms} ms are over.`));
  const stopTimer = ms > 0 ? startTimer(pauses, { ms, over }) : undefined;
  let leave: (() => void) | undefined;
  if (attempt.isOver) end();
  else if (signal.aborted) abort();
  else begin();

  function begin(): void {
    signal.addEventListener('abort', abort);
    if (cancellation !== undefined)
      cancellation.giveUp = (reason) => giveUp(cancellation.result ?? cancelled(tool), reason);
  }

  function end(): void {
    attempt.isOver = true;
    signal.removeEventListener('abort', abort);
    stopTimer?.();
    if (cancellation !== undefined) cancellation.giveUp = undefined;
  }

  function giveUp(result: ToolResult, reason: unknown): void {
    end();
    attempt.givenUp = result;
    leave?.();
    controller.abort(reason);
  }

  function abort(): void {
    giveUp(cancelled(tool), signal.reason);
  }

  return {
    signal: controller.signal,
    end,
    wait: (work) =>
      new Promise((resolve, reject) => {
        leave = () => resolve(undefined);
        if (attempt.isOver) leave();
        Promise.resolve(work).then(
          (value) => (attempt.isOver ? late?.() : resolve(value)),
          reject, // ignored if the attempt was abandoned
        );
      }),
  };
}

/** The answer to an abandoned call. */
export function cancelled({ name }: Pick<Tool, 'name'>): ToolResult {
  return failure('tool_cancelled', cancelledText(name));
}

/** The answer to a call whose time is over. */
export function timedOut(ms: number): ToolResult {
  return failure('tool_timeout', `Tool execution timed out after ${ms}ms`);
}
