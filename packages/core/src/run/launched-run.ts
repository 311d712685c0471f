import type { Environment } from '../base/environment.ts';
import type { EventLog } from './event-log.ts';
import type { Ledger } from './budget/ledger.ts';
import type { Grants } from './permission/grants.ts';
import type { Usage } from '../model/usage.ts';
import type { AskedQuestion } from '../thread/open-questions.ts';
import type { ThreadPage } from '../thread/thread.ts';
import type { Answering, QuestionKeeper } from './questions/question-keeper.ts';
import type { Toolset } from '../toolset/toolset.ts';
import type { Run, RunOptions } from './run.ts';
import type { Taint } from './taint.ts';

/** Options of a launched run. */
export type LaunchOptions = Omit<RunOptions<unknown>, 'messages' | 'toolset'> & {
  readonly environment: Environment;
  readonly toolset: Toolset;
};

/** State that a run shares with all its inner runs. */
export interface Family {
  readonly runGrants: Grants;
  /** Outside content that one of them reads may reach any of them. */
  readonly taint: Taint;
  /** Questions that wait in this process, by id. */
  readonly open: Map<string, Answering>;
  /** Ids of questions that have waited for as long as the run waits. */
  readonly due: Set<string>;
  /** Questions from before an interruption, also in inner runs. Set by the outermost run. */
  asked?: readonly AskedQuestion[];
  /** Storage of questions; absent without a thread. Set by the outermost run. */
  keeper?: QuestionKeeper;
}

/** A run to launch. */
export interface Launch {
  readonly id: string;
  readonly log: EventLog;
  /** New messages; absent if the run resumes after an interruption. */
  readonly messages: RunOptions['messages'] | undefined;
  readonly family?: Family;
  /** For an inner run: called if everything under way may be waiting for answers. */
  readonly parkOuter?: () => void;
  /** For an inner run: called before something changes, because the outer call may take effect from there on. */
  readonly markOuter?: () => Promise<void>;
  /** For an inner run: pauses or continues the time of the outer run. */
  readonly pauseOuter?: (by: 1 | -1) => void;
  /** For an inner run: called with the usage of each turn. */
  readonly spendOuter?: (usage: Usage) => void;
  /** For an inner run: the ledger of the outer run. */
  readonly ledger?: Ledger | undefined;
  /** The thread as it was read before, if it was. */
  readonly earlier?: ThreadPage;
  /** For an inner run: the calls whose tools began the outer runs, outermost first. */
  readonly path?: readonly string[];
}

/** A run whose loop is under way. */
export interface LaunchedRun extends Omit<Run, 'id' | 'events' | 'answer' | 'send'> {
  /** False if the question is not open. */
  answer(...given: Parameters<Run['answer']>): boolean;
  /** False if the run is over. */
  send(...given: Parameters<Run['send']>): boolean;
  /** The user moved on: open questions count as declined. */
  dismiss(): void;
  /** True if it only waits for answers, and can be resumed elsewhere. */
  waits(): boolean;
  /** Leaves it, to be resumed: nothing more happens here, and its result never comes. */
  leave(): Promise<void>;
}
