import { useCallback, useSyncExternalStore } from 'react';

/** A source that notifies of changes. */
export interface Observable {
  subscribe(listener: () => void): () => void;
}

/** Value of a source: the same object until it changes. The component renders again on changes. */
export function useSource<Source extends Observable, Value>(source: Source, read: (source: Source) => Value): Value {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  const snapshot = (): Value => read(source);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
