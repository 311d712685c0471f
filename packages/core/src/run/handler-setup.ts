import type { Environment } from '../base/environment.ts';
import type { InnerCaller } from '../call/execute.ts';
import type { Model, ModelRequest } from '../model/model.ts';
import type { Seals } from '../base/seals.ts';
import type { CallEntry, Thread } from '../thread/thread.ts';
import type { Toolset } from '../toolset/toolset.ts';
import type { Repeats } from './history-view/show-once.ts';
import type { RunEventBody } from '../tool/run-event.ts';
import type { Grant, Grants } from './grants.ts';
import type { Limit, Limits } from '../tool/run-limits.ts';
import type { Policy } from './policy.ts';
import type { Answer } from './questions.ts';
import type { RunInput, RunState } from './loop/state.ts';
import type { SubRun, SubRunOptions } from '../tool/tool.ts';
import type { Taint } from './taint.ts';

/** What the effects of a run need. */
export interface HandlerSetup {
  readonly runId: string;
  readonly projectId: string;
  readonly model: Model;
  readonly toolset: Toolset;
  readonly thread: Thread | undefined;
  readonly instructions: string;
  readonly policy: Policy;
  readonly interactive: boolean;
  /** Where grants are looked for: of the run, and of the project. */
  readonly grants: readonly Grants[];
  /** Keeps what the user allows beyond one call: for the run alone where it cannot be stored. */
  remember(answer: Answer, allowed: Grant & { readonly callId: string }): Promise<void>;
  /** Of the user's word in the thread. */
  readonly seals: Seals | undefined;
  /** Whether `always` is an answer. */
  readonly canRemember: boolean;
  /** What the journal of a call outlasts before it begins: this program, or a loss of power too. */
  readonly durability: 'process' | 'power';
  /** Calls begin while their turn is being streamed. */
  readonly isEager: boolean;
  /** Known once the thread is read. */
  readonly past: Past;
  /** What is left out of requests is summarized by the model. */
  readonly summarizes: boolean;
  /** How content that results repeat is shown. */
  readonly repeatedContent: Repeats | undefined;
  /** Asked at a limit whether the run goes on. */
  onLimit?(limit: Limit): boolean | Promise<boolean>;
  /** What goes into every request as it is. */
  readonly request: Pick<ModelRequest, 'maxOutputTokens' | 'reasoning' | 'parallel' | 'providerOptions'>;
  readonly limits: Limits;
  readonly environment: Environment;
  /** Fires when the run is aborted or over. */
  readonly signal: AbortSignal;
  emit(body: RunEventBody): void;
  feed(input: RunInput): void;
  end(state: RunState): void;
  /** Said before something changes, where this run is inside another: what that one's call does may take effect. */
  readonly markOuter: (() => Promise<void>) | undefined;
  /** Begins a run for a call of this one. */
  startInside(by: InnerCaller, options: SubRunOptions): Promise<SubRun>;
}

/** What a run has to know of what was before it. */
export interface Past {
  /** Calls that may have taken effect before an interruption. */
  readonly begun: Set<string>;
  /** Calls that the user had allowed by then, as the journal says. */
  readonly approved: Map<string, CallEntry>;
  /** Outside content of the history, and of runs that share this. */
  readonly taint: Taint;
  /** Calls whose changes a person has seen and allowed. */
  readonly reviewed: Set<string>;
}
