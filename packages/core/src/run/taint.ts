import type { FilesObserver } from '../files/taint/observer.ts';
import type { Message, Part } from '../model/message.ts';
import type { ModelPart } from '../model/model.ts';

/** Outside content, which anybody may have written, read by the runs of a conversation. */
export interface Taint {
  isTainted: boolean;
  /** Its first sources: tools, files. */
  readonly sources: Set<string>;
}

const mostSources = 20;

export function createTaint(): Taint {
  return { isTainted: false, sources: new Set() };
}

/** Records that outside content was read. */
export function taintBy(taint: Taint, source: string): void {
  taint.isTainted = true;
  if (taint.sources.size < mostSources) taint.sources.add(source);
}

/** True if a part contains outside content: a result from outside, or of a vendor's server or a hook. */
export function isFromOutside(part: Part | ModelPart): boolean {
  if ('openWorld' in part && part.openWorld) return true;
  if (part.type === 'provider-result') return true;
  return part.type === 'source' || (part.type === 'tool-call' && part.executedBy === 'provider');
}

/** Restores the taint of a stored history. */
export function taintByHistory(taint: Taint, messages: readonly Message[]): void {
  for (const { parts, tainted } of messages) {
    const source = parts.find(isFromOutside);
    if (source !== undefined || tainted === true) taintBy(taint, sourceOf(source));
  }
}

/**
 * Derives the taint of a caller's messages. A result without the fingerprint of a tool does not come from our runs, so
 * its origin is unknown.
 */
export function taintByGiven(taint: Taint, messages: readonly Message[]): void {
  taintByHistory(taint, messages);
  for (const { parts } of messages) {
    const source = parts.find(
      (part) => part.type === 'tool-result' && part.toolFingerprint === undefined && !part.isError,
    );
    if (source !== undefined) taintBy(taint, sourceOf(source));
  }
}

function sourceOf(part: Part | undefined): string {
  return part !== undefined && 'name' in part && part.name !== undefined ? part.name : 'an earlier message';
}

/**
 * Observer for a call, or for the prompts of a run. Content reviewed by a person is clean, unless the call reads more. A
 * class rather than closures: each call makes one, and most calls touch no file.
 */
export class CallObserver implements FilesObserver {
  readonly session: Taint;
  /** True once the call itself has read outside content. */
  hasRead = false;
  readonly #isReviewed: boolean;

  /** `isReviewed`: a person has reviewed and allowed the changes of the call. */
  constructor(taint: Taint, isReviewed = false) {
    this.session = taint;
    this.#isReviewed = isReviewed;
  }

  isTainted(): boolean {
    return this.#isReviewed ? this.hasRead : this.session.isTainted;
  }

  hasReview(): boolean {
    return this.#isReviewed && !this.hasRead;
  }

  sources(): readonly string[] {
    return [...this.session.sources];
  }

  taint(path: string, sources: readonly string[]): void {
    this.hasRead = true;
    taintBy(this.session, sources.length === 0 ? path : `${path} (${sources.join(', ')})`);
  }
}
