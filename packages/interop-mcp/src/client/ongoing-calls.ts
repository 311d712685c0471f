import type { SamplingCall } from './sampling.ts';

/** Calls under way. Only during a call may a server of a revision before 2026-07-28 ask for something. */
export interface OngoingCalls {
  readonly all: ReadonlySet<SamplingCall>;
  /** Fires when the last of them is over. */
  readonly over: AbortSignal;
  /** Adds a call, until the returned function is called. */
  begin(call: SamplingCall): () => void;
}

export function createOngoingCalls(): OngoingCalls {
  const all = new Set<SamplingCall>();
  let over = new AbortController();
  return {
    all,
    get over() {
      return over.signal;
    },
    begin(call) {
      if (all.size === 0) over = new AbortController();
      all.add(call);
      return () => {
        all.delete(call);
        if (all.size === 0) over.abort(new Error('The call is over.'));
      };
    },
  };
}
