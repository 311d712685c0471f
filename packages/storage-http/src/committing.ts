import { fileError } from '@utensil/core/files';
import { changedKeys } from '@utensil/core/storage';
import type { StorageChange, StorageCommitResult, EntryKey, StorageDriver } from '@utensil/core/storage';
import { refuseHidden } from './access.ts';
import { json, refusal } from './answers.ts';
import { readBody, refuseType } from './body.ts';
import { commitType, header } from './protocol.ts';
import type { AnswerTo } from './reading.ts';
import type { Outcome, Remembered } from './remembered.ts';
import { invalid, toCommit } from './shape.ts';

/** Dependencies of commits. */
export interface CommittingOptions {
  readonly maxBodyBytes?: number;
  readonly maxChanges: number;
  readonly remembered: Remembered;
  failure(error: unknown): Response;
}

/** Makes each commit once, however often it is requested. */
export function createCommitting(options: CommittingOptions): AnswerTo {
  const { maxBodyBytes = 64 * 1024 * 1024, maxChanges, remembered, failure } = options;

  async function outcomeOf(work: ReturnType<StorageDriver['commit']>): Promise<Outcome> {
    const response = await work.then(toResponse, failure);
    return { status: response.status, text: await response.text() };
  }

  return async function answerCommit({ request, driver, access, namespace }) {
    if (access.canWrite !== true) throw fileError('EROFS', '/', { hint: 'You have read access only.' });
    refuseType(request, commitType);
    const key = `${keyOf(request)} ${namespace}`;
    const commit = toCommit(await readBody(request, maxBodyBytes), maxChanges);
    refuseHidden(access, [...commit.expect, ...changedKeys(commit.changes), ...commit.changes.flatMap(likenessOf)]);
    const mark = request.headers.get(header.mark);
    if (mark !== null && !remembered.has(key) && !remembered.reachesBackTo(mark)) return forgotten();
    const { status, text } = await remembered.once(key, () => outcomeOf(driver.commit(commit)));
    return new Response(text, { status, headers: { 'content-type': 'application/json' } });
  };
}

function keyOf(request: Request): string {
  const key = request.headers.get(header.key) ?? '';
  if (!/^[\w-]{16,64}$/.test(key)) throw invalid('A commit needs an idempotency key: 16 to 64 letters and digits.');
  return key;
}

/** The key whose permissions a change copies, which reveals them. */
function likenessOf(change: StorageChange): readonly EntryKey[] {
  return change.type === 'write' && change.like !== undefined ? [change.like] : [];
}

function toResponse(result: StorageCommitResult): Response {
  return result.ok ? json(result) : json({ ...result, entry: result.entry ?? null }, 409);
}

/** Response for a commit that may already have been made, perhaps by another server. It is not made now. */
function forgotten(): Response {
  const hint =
    'The result of an earlier attempt is no longer known, so the commit was not repeated: read, then decide.';
  return refusal(fileError('EIO', '/', { hint }), 412);
}
