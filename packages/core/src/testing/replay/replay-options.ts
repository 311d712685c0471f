import { memoryGrants } from '../../run/permission/grants.ts';
import { sessionOf } from '../../run/guard/guard-session.ts';
import type { RunOptions } from '../../run/run.ts';
import type { ModelInfo } from '../../model/model.ts';
import type { Tool } from '../../tool/tool.ts';
import type { Toolset, ToolsetSource } from '../../toolset/toolset.ts';
import { parkAfterMs, replaySeals, timeLimitMs } from './hands.ts';
import { replayModels } from './replay-model.ts';
import { replayGrants, replayToolset } from './replay-toolset.ts';
import type { Segment } from './segment.ts';
import type { Stage } from './stage.ts';

/** Options of the app's runs that the thread does not record. */
export type AppOptions = Pick<
  RunOptions,
  | 'policy'
  | 'grants'
  | 'limits'
  | 'onLimit'
  | 'output'
  | 'eager'
  | 'durability'
  | 'summarize'
  | 'repeatedContent'
  | 'principal'
  | 'projectId'
>;

/** Everything needed to play a segment. */
export interface SegmentSetup {
  readonly threadId: string;
  readonly segment: Segment;
  readonly toolset: Toolset | ToolsetSource;
  readonly options: AppOptions;
  readonly model: Partial<ModelInfo>;
  readonly real: readonly Tool['name'][];
  readonly ignored: readonly string[];
  /** Descriptions of entries that cannot be replayed. */
  readonly notes: Set<string>;
  /** True if the thread contains seals. */
  readonly isSealed: boolean;
}

/** Options of a run that plays a segment: the app's, completed from the thread. */
export function optionsFor({ toolset, options, model, isSealed }: SegmentSetup, stage: Stage) {
  const { script, segment } = stage;
  const [first, ...fallback] = replayModels(stage, model);
  const own = segment.own.flatMap(({ entry }) => (entry.type === 'question' ? entry : []));
  const expiring = own.find(({ expiresAt }) => expiresAt !== undefined);
  const isDurable = segment.own.some(({ entry }) => entry.type === 'call-begun' && entry.call !== undefined);
  const projectId = script.questions[0]?.projectId;
  const expireAfterMs = expiring?.expiresAt === undefined ? undefined : expiring.expiresAt - expiring.time;
  const replayed = replayToolset(toolset, stage);
  const isGuarded = sessionOf(replayed) !== undefined;
  return {
    ...(projectId !== undefined && { projectId }),
    durability: isDurable ? ('power' as const) : ('process' as const),
    interactive: script.interactive,
    summarize: script.compactions.some(({ summary }) => summary !== undefined),
    ...options,
    ...(!isGuarded && {
      policy: policyOf(stage, options),
      grants: options.grants ? replayGrants(options.grants) : memoryGrants(),
    }),
    model: first,
    ...(fallback.length > 0 && { fallback }),
    toolset: replayed,
    limits: { ...options.limits, timeMs: timeLimitMs },
    ...(isSealed && { seals: replaySeals }),
    detached: { parkAfterMs },
    questions: {
      parkAfterMs,
      ...(expireAfterMs !== undefined && { expireAfterMs }),
      answerers: ({ callId }: { readonly callId: string }) => own.find((each) => each.callId === callId)?.answerers,
    },
  };
}

/** The app's policy; without one, calls that were asked about then are asked about. */
function policyOf({ script, ...stage }: Stage, { policy }: AppOptions): NonNullable<RunOptions['policy']> {
  const asked = new Map(script.questions.flatMap((each) => (each.kind === 'approval' ? [[each.callId, each]] : [])));
  return async (request) => {
    stage.activity++;
    if (policy !== undefined) return policy(request);
    const question = asked.get(request.callId);
    if (question === undefined) return 'allow';
    return question.reason === undefined ? 'ask' : { ask: question.reason };
  };
}
