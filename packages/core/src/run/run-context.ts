import type { Environment } from '../base/environment.ts';
import type { CallRecords } from './calls/call-records.ts';
import { answerTool } from './final-answer.ts';
import type { Family, LaunchOptions } from './launched-run.ts';
import type { RunOptions } from './run.ts';
import type { Model, ModelInfo, ModelRequest } from '../model/model.ts';
import { settingNames } from '../model/request-settings.ts';
import type { RequestSettings } from '../model/request-settings.ts';
import type { Seals } from '../base/seals.ts';
import type { RunThread } from './run-thread.ts';
import type { Toolset } from '../toolset/toolset.ts';
import type { Repeats } from './history-view/show-once.ts';
import type { RunEventBody } from '../tool/run-event.ts';
import type { Grants } from './permission/grants.ts';
import { sessionOf } from './guard/guard-session.ts';
import type { Ledger } from './budget/ledger.ts';
import type { Usage } from '../model/usage.ts';
import type { AskPeople, GuardSession } from './guard/guard-session.ts';
import { allowAll } from './permission/judge.ts';
import { createRemember } from './permission/store-grant.ts';
import type { Remember } from './permission/store-grant.ts';
import type { RunLimit, RunLimits } from '../tool/run-limits.ts';
import type { Policy } from './permission/policy.ts';
import type { DetachedOptions } from './calls/detached-options.ts';
import type { QuestionOptions } from './questions/question-options.ts';
import type { RunInput, RunState } from './loop/state.ts';
import type { InnerCaller } from '../call/call-context.ts';
import type { Principal } from '../tool/capability.ts';
import type { SubRun, SubRunOptions } from '../tool/tool.ts';
import type { Taint } from './taint.ts';

/** Context that the effects of a run need. */
export interface RunContext {
  readonly runId: string;
  readonly projectId: string;
  readonly principal: Principal | undefined;
  readonly model: Model;
  readonly fallback: readonly Model[];
  readonly toolset: Toolset;
  readonly thread: RunThread | undefined;
  instructions(model: ModelInfo): string;
  readonly policy: Policy;
  readonly interactive: boolean;
  readonly questions: QuestionOptions;
  readonly detached: DetachedOptions;
  /** State that it shares with its outer run. */
  readonly family: Family;
  /** Calls whose tools began the runs that it is inside of, outermost first. */
  readonly path: readonly string[];
  /** Places that are searched for grants: those of the run, and of the project. */
  readonly grants: readonly Grants[];
  readonly remember: Remember;
  /** Asks people instead of the reader of the events. */
  readonly ask: AskPeople | undefined;
  /** Session of a guarded toolset. */
  readonly session: GuardSession | undefined;
  /** Signs the user's approvals in the thread. */
  readonly seals: Seals | undefined;
  /** True if the user may answer `always`. */
  readonly canRemember: boolean;
  /**
   * The failure that the journal entry of a call survives before the call begins: a crash of this program, or also a
   * loss of power.
   */
  readonly durability: 'process' | 'power';
  /** Calls begin while their turn is being streamed. */
  readonly isEager: boolean;
  /** Calls of the run, and of its thread once that is read. */
  readonly calls: CallRecords;
  /** Outside content of the history, and of runs that share this. */
  readonly taint: Taint;
  /** True if the model summarizes the messages that requests leave out. */
  readonly summarizes: boolean;
  /** Display of content that results repeat. */
  readonly repeatedContent: Repeats | undefined;
  /** Asked at a limit whether the run goes on. */
  onLimit?(limit: RunLimit): boolean | Promise<boolean>;
  /** Members that every request has, unchanged. */
  readonly request: Pick<ModelRequest, 'maxOutputTokens' | 'reasoning' | 'parallel' | 'providerOptions'> &
    RequestSettings;
  readonly limits: RunLimits;
  /**
   * Pauses the time of the run, and of a call and its outer calls, while people are waited for (1), or continues it
   * (-1): also in outer runs.
   */
  pauseTime(callId: string | undefined, by: 1 | -1): void;
  /** Its ledger, once it has its first state; undefined if nothing is limited. */
  ledger(): Ledger | undefined;
  /** Counts what a summary or a run inside took. */
  spend(usage: Usage): void;
  /** For an inner run: adds the usage of a turn to the outer run. */
  readonly spendOuter: ((usage: Usage) => void) | undefined;
  readonly environment: Environment;
  /** Fires when the run is aborted or over. */
  readonly signal: AbortSignal;
  emit(body: RunEventBody): void;
  feed(input: RunInput): void;
  end(state: RunState): void;
  /** For an inner run: called before something changes, because the outer call may take effect. */
  readonly markOuter: (() => Promise<void>) | undefined;
  /** For an inner run: called if everything under way may be waiting for answers. */
  readonly parkOuter: (() => void) | undefined;
  /** Runs for calls of this one. */
  readonly inside: RunsInside;
}

/** Runs that the tools of a run have begun. */
export interface RunsInside {
  start(by: InnerCaller, options: SubRunOptions<unknown>): Promise<SubRun>;
  /** Number of inner runs of a call that only wait for answers, and can be resumed. */
  waiting(callId: string): number;
  /** Leaves all of them. */
  leave(): Promise<void>;
}

/** Members that a launched run adds to its options. */
export type LaunchedContext = Pick<
  RunContext,
  | 'runId'
  | 'thread'
  | 'calls'
  | 'signal'
  | 'feed'
  | 'end'
  | 'emit'
  | 'markOuter'
  | 'parkOuter'
  | 'inside'
  | 'family'
  | 'path'
  | 'ledger'
  | 'pauseTime'
  | 'spend'
  | 'spendOuter'
>;

/** Creates the context of a run's effects from its options. */
export function runContext(options: LaunchOptions, launched: LaunchedContext): RunContext {
  const { model, toolset, output } = options;
  const { family, emit } = launched;
  const session = sessionOf(toolset);
  const { grants, principal = options.principal } = session ?? options;
  const own = family.runGrants;
  return {
    ...launched,
    projectId: options.projectId ?? 'default',
    principal,
    model,
    fallback: options.fallback ?? [],
    toolset: output === undefined ? toolset : toolset.derive({ add: [answerTool(output)] }),
    instructions: (info) => textFor(info, options.instructions),
    policy: options.policy ?? session?.policy ?? allowAll,
    interactive: options.interactive ?? true,
    questions: options.questions ?? {},
    detached: options.detached ?? {},
    grants: grants === undefined ? [own] : [own, grants],
    seals: options.seals,
    canRemember: grants !== undefined,
    remember: createRemember({ own, stored: grants, principal, emit }),
    ask: session?.ask,
    session,
    durability: options.durability ?? 'process',
    isEager: options.eager ?? true,
    taint: family.taint,
    summarizes: options.summarize ?? false,
    repeatedContent: options.repeatedContent,
    ...(options.onLimit && { onLimit: options.onLimit }),
    request: requestOptions(options),
    limits: options.limits ?? {},
    environment: options.environment,
  };
}

function requestOptions(options: LaunchOptions): RunContext['request'] {
  const given = requestNames.map((name) => [name, options[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

const requestNames = ['maxOutputTokens', 'reasoning', 'parallel', 'providerOptions', ...settingNames] as const;

function textFor(model: ModelInfo, instructions: RunOptions['instructions'] = ''): string {
  return typeof instructions === 'function' ? instructions(model) : instructions;
}
