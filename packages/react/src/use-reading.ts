import type { UtensilError } from '@utensil/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { keepIdentity } from './keep-identity.ts';
import { toProblem } from './problem.ts';
import { createReader } from './reader.ts';

/** Source of a list. A new object is a new list: late results of the previous one are discarded. */
export interface ListSource<Item> {
  read(): Promise<readonly Item[]>;
  keyOf(item: Item): string;
  /** Calls the listener when the list may have changed. Returns a function that unsubscribes. */
  watch?(listener: () => void): () => void;
}

/** Last list, and the error of the last read. */
interface Found<Item> {
  readonly items?: readonly Item[];
  readonly problem?: UtensilError;
}

/** A list that is read on first use, on changes, and on demand. */
export interface Reading<Item> extends Found<Item> {
  again(): void;
}

interface State<Item> {
  readonly source: ListSource<Item>;
  readonly found: Found<Item>;
}

export function useReading<Item>(source: ListSource<Item> | undefined): Reading<Item> {
  const [state, setState] = useState<State<Item>>();
  const reader = useRef<() => void>(undefined);
  const again = useCallback(() => reader.current?.(), []);
  useEffect(() => {
    if (source === undefined) return undefined;
    const show = (found: Found<Item>): void => setState((before) => after(before, { source, found }));
    const made = createReader(() => find(source), show);
    const leave = source.watch?.(made.again);
    made.again();
    reader.current = made.again;
    return () => {
      reader.current = undefined;
      leave?.();
      made.stop();
    };
  }, [source]);
  return { ...(state !== undefined && state.source === source && state.found), again };
}

async function find<Item>(source: ListSource<Item>): Promise<Found<Item>> {
  try {
    return { items: await source.read() };
  } catch (error) {
    return { problem: toProblem(error) };
  }
}

/** Keeps the previous list if a read fails. */
function after<Item>(before: State<Item> | undefined, { source, found }: State<Item>): State<Item> {
  const last = before?.source === source ? before.found : {};
  if (found.items === undefined) return { source, found: { ...last, ...found } };
  const items = keepIdentity(last.items ?? [], found.items, (item) => source.keyOf(item));
  const isSame = before !== undefined && items === last.items && last.problem === undefined;
  return isSame ? before : { source, found: { items } };
}
