import { storePartly } from './calls.ts';
import type { Draft } from './draft.ts';
import type { CallState, RunState } from './state.ts';

/** Default maximum number of concurrent calls. */
const defaultConcurrency = 16;

/**
 * Begins the calls that may: reads run together, one that changes something waits for all before it, and none passes
 * it. In a turn that is still being streamed they begin as well; one that changes something once it is stored. Reads
 * begin before anything is stored: they leave nothing behind that would have to be known later.
 */
export function begin(draft: Draft): void {
  const { turn } = draft.state;
  if (turn === undefined || (!turn.isOpen && turn.stored === 0)) return;
  if (!turn.calls.some(isReady)) return;
  const places = placesIn(draft.state, turn.calls);
  let isAnyOpen = false;
  let isChangeOpen = false;
  for (const each of turn.calls) {
    if (each.phase === 'done') continue;
    const changes = each.effects !== 'read';
    const isBlocked = changes ? isAnyOpen : isChangeOpen;
    isAnyOpen = true;
    isChangeOpen ||= changes || each.phase === 'preparing';
    if (each.phase !== 'ready' || isBlocked || !hasPlace(places, each)) continue;
    enter(places, each);
    each.phase = 'running';
    if (changes) storePartly(draft);
    const effect = { type: 'execute-call', call: each.call } as const;
    if (changes || draft.reads === draft.effects.length) draft.effects.push(effect);
    else draft.effects.splice(draft.reads, 0, effect);
    if (!changes) draft.reads++;
  }
}

function isReady({ phase }: CallState): boolean {
  return phase === 'ready';
}

/** The places that are free for calls to run in: of all, and of each tool that has a limit. */
interface Places {
  free: number;
  taken?: Map<string, number>;
}

/** There is one at least, or nothing would run. */
function placesIn({ limits }: RunState, calls: readonly CallState[]): Places {
  const places: Places = { free: Math.max(1, limits.concurrency ?? defaultConcurrency) };
  for (const each of calls) if (each.phase === 'running' && each.refusal === undefined) enter(places, each);
  return places;
}

function hasPlace({ free, taken }: Places, { call, concurrency = Infinity }: CallState): boolean {
  return free > 0 && (taken?.get(call.name) ?? 0) < Math.max(1, concurrency);
}

function enter(places: Places, { call: { name }, concurrency }: CallState): void {
  places.free--;
  if (concurrency === undefined) return;
  places.taken ??= new Map();
  places.taken.set(name, (places.taken.get(name) ?? 0) + 1);
}
