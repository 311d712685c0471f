import type { RecordStore } from '../../records/records.ts';
import type { Clock } from '../../thread/clock.ts';
import type { ProgramLife } from './program-life.ts';

type Step = ProgramLife['step'];

/** Records whose every access is a step. A commit has two steps: it may succeed without its caller being told. */
export function scheduledRecords(records: RecordStore, step: Step): RecordStore {
  return {
    ...records,
    async get(key) {
      await step('get');
      return records.get(key);
    },
    async *list(...given) {
      await step('list');
      yield* records.list(...given);
    },
    async last(log) {
      await step('last');
      return records.last(log);
    },
    async commit(...given) {
      await step('commit');
      const result = await records.commit(...given);
      await step('committed');
      return result;
    },
    async remove(...given) {
      await step('remove');
      await records.remove(...given);
    },
  };
}

/**
 * A clock whose timers fire when scheduled, so that claims are renewed late, or taken over early. After the given
 * number of renewals its timers no longer fire.
 */
export function scheduledClock(step: Step, given: { readonly renewals: number; readonly offsetMs: number }): Clock {
  let { renewals } = given;
  let elapsed = 0;
  return {
    now: () => 1_800_000_000_000 + given.offsetMs + elapsed,
    elapsed: () => elapsed,
    after(ms, then, { background = false } = {}) {
      let isOver = background && renewals-- <= 0;
      const fire = (): void => {
        if (isOver) return;
        elapsed += ms;
        then();
      };
      if (!isOver) void step('timer').then(fire);
      return () => void (isOver = true);
    },
  };
}
