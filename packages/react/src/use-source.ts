import { useCallback, useSyncExternalStore } from 'react';

/** Something that tells when it has changed. */
export interface Observable {
  subscribe(listener: () => void): () => void;
}

/** What is read of a source: the same object until it changes. The component renders again when it does. */
export function useSource<Source extends Observable, Value>(source: Source, read: (source: Source) => Value): Value {
  const subscribe = useCallback((listener: () => void) => source.subscribe(listener), [source]);
  const snapshot = (): Value => read(source);
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
