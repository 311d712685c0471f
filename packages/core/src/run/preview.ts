import { isObject } from '../json.ts';
import type { Json } from '../json.ts';
import type { PreparedCall } from '../prepare.ts';
import type { HandlerSetup } from './handler-setup.ts';

/** How long a question waits for what its call would do, in milliseconds. */
const patienceMs = 10_000;

/** True if the preview shows the changes of files to the person who is asked. */
export function showsChanges(preview: Json | undefined): boolean {
  return isObject(preview) && preview['type'] === 'changes';
}

/** What a call would do; undefined where its tool does not say, or takes too long: the user is asked all the same. */
export async function previewOf({ preview }: PreparedCall, run: HandlerSetup): Promise<Json | undefined> {
  if (preview === undefined) return undefined;
  const ms = Math.min(run.limits.toolTimeMs || patienceMs, patienceMs);
  const isOver = AbortSignal.any([run.signal, AbortSignal.timeout(ms)]);
  const nothing = new Promise<undefined>((resolve) => {
    isOver.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([preview(run), nothing]);
}
