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

/** What commits are made with. */
export interface CommittingOptions {
  readonly maxBodyBytes?: number;
  readonly maxChanges: number;
  readonly remembered: Remembered;
  failure(error: unknown): Response;
}

/** Makes commits, each of them once, however often it is asked for. */
export function createCommitting(options: CommittingOptions): AnswerTo {
  const { maxBodyBytes = 64 * 1024 * 1024, maxChanges, remembered, failure } = options;

  async function outcomeOf(work: ReturnType<StorageDriver['commit']>): Promise<Outcome> {
    const response = await work.then(toResponse, failure);
    return { status: response.status, text: await response.text() };
  }

  return async function answerCommit({ request, driver, access, namespace }) {
    if (access.canWrite !== true) throw fileError('EROFS', '/', { hint: 'You may read here, and not write.' });
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
  if (!/^[\w-]{16,64}$/.test(key)) throw invalid('A commit has an idempotency key: 16 to 64 letters and digits.');
  return key;
}

/** What a change asks the permissions of, which would tell of it. */
function likenessOf(change: StorageChange): readonly EntryKey[] {
  return change.type === 'write' && change.like !== undefined ? [change.like] : [];
}

function toResponse(result: StorageCommitResult): Response {
  return result.ok ? json(result) : json({ ...result, entry: result.entry ?? null }, 409);
}

/** It was perhaps made, and perhaps by another server: it is not made now. */
function forgotten(): Response {
  const hint = 'Whether it has happened before is no longer known, so it was not done again: read, then decide.';
  return refusal(fileError('EIO', '/', { hint }), 412);
}
