import { longestTimer } from './environment.ts';
import { isPromise } from './eventually.ts';
import type { Eventually } from './eventually.ts';
import type { CallContext } from './execute.ts';
import type { Tool } from './tool.ts';
import { cancelledText, failure } from './tool-result.ts';
import type { ToolResult } from './tool-result.ts';

type Circumstances = Pick<CallContext, 'signal' | 'timeoutMs' | 'late'>;

/**
 * One execution of a tool, and what ends it: its work, its time, or the signal of its run. Timer, listener and a signal
 * of its own are made only for work that takes its time, or asks for them.
 */
export class Attempt {
  /** Nobody waits any longer: it ended, or was given up. */
  isOver = false;
  /** The answer in place of the tool's, once it was given up. */
  givenUp: ToolResult | undefined;
  private readonly tool: Tool;
  private readonly context: Circumstances;
  private reason: unknown;
  private controller: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private follower: (() => void) | undefined;
  private leave: (() => void) | undefined;

  constructor(tool: Tool, context: Circumstances) {
    this.tool = tool;
    this.context = context;
  }

  /** Fires when it is given up. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.givenUp !== undefined) this.controller.abort(this.reason);
      else if (!this.isOver) this.follow();
    }
    return this.controller.signal;
  }

  /** Settles with the work, the end of its time or the abort, whichever is first. */
  wait(work: () => Eventually<unknown>): Eventually<unknown> {
    if (this.context.signal.aborted) return this.abort();
    const begun = beginning(work);
    if (this.context.signal.aborted) this.abort();
    if (isPromise(begun)) return this.waitFor(begun);
    this.end();
    return begun;
  }

  private waitFor(work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.leave = () => resolve(undefined);
      if (this.isOver) this.leave();
      else this.follow();
      const ms = this.timeoutMs;
      if (!this.isOver && ms > 0 && ms <= longestTimer) this.timer = setTimeout(() => this.timeOut(), ms);
      work.then(
        (value) => {
          this.end();
          resolve(value);
        },
        (error: unknown) => {
          if (!this.isOver) this.finish();
          reject(error);
        },
      );
    });
  }

  private get timeoutMs(): number {
    return this.tool.timeoutMs ?? this.context.timeoutMs ?? 60_000;
  }

  private follow(): void {
    if (this.follower !== undefined) return;
    this.follower = () => this.abort();
    this.context.signal.addEventListener('abort', this.follower);
  }

  private abort(): void {
    if (this.isOver) return;
    this.giveUp(failure('tool_cancelled', cancelledText(this.tool.name)), this.context.signal.reason);
  }

  private timeOut(): void {
    const text = `Tool execution timed out after ${this.timeoutMs}ms`;
    this.giveUp(failure('tool_timeout', text), new Error(`The tool's ${this.timeoutMs} ms are over.`));
  }

  private giveUp(result: ToolResult, reason: unknown): void {
    this.finish();
    this.givenUp = result;
    this.reason = reason;
    this.leave?.();
    this.controller?.abort(reason);
  }

  /** What comes after it was given up is too late. */
  private end(): void {
    if (this.isOver) this.context.late?.();
    else this.finish();
  }

  private finish(): void {
    this.isOver = true;
    if (this.timer !== undefined) clearTimeout(this.timer);
    if (this.follower !== undefined) this.context.signal.removeEventListener('abort', this.follower);
  }
}

function beginning(work: () => Eventually<unknown>): Eventually<unknown> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error);
  }
}
