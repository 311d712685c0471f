import { isObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { PreparedCall } from '../call/prepare.ts';
import type { Effect } from '../model/effect.ts';
import type { RunContext } from './run-context.ts';

/** How long a question waits for what its call would do, in milliseconds. */
const patienceMs = 10_000;

/** In characters: nobody looks through more, and previews leave out the middle of what is much longer. */
const mostReviewed = 50_000;

/** True if the preview shows a person who is asked all that the call would change in files. */
export function showsChanges(preview: Json | undefined): boolean {
  return isObject(preview) && preview['type'] === 'changes' && JSON.stringify(preview).length <= mostReviewed;
}

/** The effect that is told with a question: a change that its preview shows to be undoable is not called destructive. */
export function effectsShown(effects: Effect, preview: Json | undefined): Effect {
  const isUndoable = isObject(preview) && preview['type'] === 'changes' && preview['undoable'] === true;
  return effects === 'destructive' && isUndoable ? 'write' : effects;
}

/** What a call would do; undefined where its tool does not say, or takes too long: the user is asked all the same. */
export async function previewOf(
  { preview }: PreparedCall,
  asking: Pick<RunContext, 'limits' | 'projectId' | 'principal' | 'signal'> & {
    readonly thread: { readonly id: string } | undefined;
  },
): Promise<Json | undefined> {
  if (preview === undefined) return undefined;
  const { limits, projectId, principal, signal, thread } = asking;
  const ms = Math.min(limits.toolTimeMs || patienceMs, patienceMs);
  const isOver = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const nothing = new Promise<undefined>((resolve) => {
    isOver.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  // Only this: tools are strangers, and a run knows more than they may.
  const context = { projectId, ...(principal && { principal }), ...(thread && { threadId: thread.id }) };
  return Promise.race([preview(context), nothing]);
}
