import { useSyncExternalStore } from 'react';

/** Something observable with a value that is the same object until it changes. */
export interface Source<Value> {
  subscribe(listener: () => void): () => void;
  snapshot(): Value;
}

/** The value of a source; the component renders again when it changes. */
export function useSource<Value>({ subscribe, snapshot }: Source<Value>): Value {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
