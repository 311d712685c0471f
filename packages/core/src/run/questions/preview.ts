import { isObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { Effect } from '../../model/effect.ts';
import type { RunContext } from '../run-context.ts';

/** Maximum time that a question waits for a preview, in milliseconds. */
const patienceMs = 10_000;

/** In characters: nobody reviews more, and longer previews omit their middle. */
const mostReviewed = 50_000;

/** True if the preview shows every file change of the call. */
export function showsChanges(preview: Json | undefined): boolean {
  return isObject(preview) && preview['type'] === 'changes' && JSON.stringify(preview).length <= mostReviewed;
}

/** The effect shown with a question: a change whose preview proves it undoable is not called destructive. */
export function effectsShown(effects: Effect, preview: Json | undefined): Effect {
  const isUndoable = isObject(preview) && preview['type'] === 'changes' && preview['undoable'] === true;
  return effects === 'destructive' && isUndoable ? 'write' : effects;
}

/** Preview of a call; undefined if its tool has none, or takes too long: the user is asked anyway. */
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
  // Only these members: tools are untrusted, and a run has access to more than they may.
  const context = { projectId, ...(principal && { principal }), ...(thread && { threadId: thread.id }) };
  return Promise.race([preview(context), nothing]);
}
