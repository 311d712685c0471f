import type { Environment } from '../base/environment.ts';
import type { EventLog } from './event-log.ts';
import type { Ledger } from './budget/ledger.ts';
import type { Grants } from './grants.ts';
import type { Usage } from '../model/usage.ts';
import type { AskedQuestion } from '../thread/open-questions.ts';
import type { ThreadPage } from '../thread/thread.ts';
import type { Answering, QuestionKeeper } from './question-keeper.ts';
import type { Toolset } from '../toolset/toolset.ts';
import type { Run, RunOptions } from './run.ts';
import type { Taint } from './taint.ts';

/** Options of a run that is launched. */
export type LaunchOptions = Omit<RunOptions<unknown>, 'messages' | 'toolset'> & {
  readonly environment: Environment;
  readonly toolset: Toolset;
};

/** What a run and all runs inside it share. */
export interface Family {
  readonly runGrants: Grants;
  /** Outside content that one of them reads may reach any of them. */
  readonly taint: Taint;
  /** Questions that wait in this process, by id. */
  readonly open: Map<string, Answering>;
  /** Those of them that have waited for as long as the run waits, by id. */
  readonly due: Set<string>;
  /** What was asked before an interruption, in the runs inside too. Set by the outermost run. */
  asked?: readonly AskedQuestion[];
  /** Where questions are stored; absent without a thread. Set by the outermost run. */
  keeper?: QuestionKeeper;
}

/** A run that is to be launched. */
export interface Launch {
  readonly id: string;
  readonly log: EventLog;
  /** What is new; absent if the run goes on after an interruption. */
  readonly messages: RunOptions['messages'] | undefined;
  readonly family?: Family;
  /** Of a run inside another: called if all that is under way may be waiting for answers. */
  readonly parkOuter?: () => void;
  /** Of a run inside another: called before something changes, because the outer call may take effect from there on. */
  readonly markOuter?: () => Promise<void>;
  /** Of a run inside another: the time of that one stands still, or goes on. */
  readonly pauseOuter?: (by: 1 | -1) => void;
  /** Of a run inside another: told of what each turn took. */
  readonly spendOuter?: (usage: Usage) => void;
  /** Of a run inside another: what that one draws on. */
  readonly ledger?: Ledger | undefined;
  /** The thread as it was read before, if it was. */
  readonly earlier?: ThreadPage;
  /** Of a run inside others: the calls whose tools began them, outermost first. */
  readonly path?: readonly string[];
}

/** A run whose loop is under way. */
export interface LaunchedRun extends Omit<Run, 'id' | 'events'> {
  /** The user moved on: open questions count as declined. */
  dismiss(): void;
  /** Whether it can be gone on with elsewhere, and does nothing but wait for answers. */
  waits(): boolean;
  /** Leaves it, to be gone on with: nothing more happens here, and its result never comes. */
  leave(): Promise<void>;
}
