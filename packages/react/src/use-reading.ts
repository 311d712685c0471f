import type { UtensilError } from '@utensil/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { kept } from './kept.ts';
import { toProblem } from './problem.ts';
import { createReader } from './reader.ts';

/** Where a list is read. Another object is another list: what comes late of the one before is not shown. */
export interface ListSource<Item> {
  read(): Promise<readonly Item[]>;
  keyOf(item: Item): string;
  /** Calls the listener when the list may have changed, until the returned function is called. */
  watch?(listener: () => void): () => void;
}

/** What was read of a list, and why it could not be read the last time. */
interface Found<Item> {
  readonly items?: readonly Item[];
  readonly problem?: UtensilError;
}

/** A list that is read when it is first needed, when it changes, and on demand. */
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

/** What was read before stays where it cannot be read again. */
function after<Item>(before: State<Item> | undefined, { source, found }: State<Item>): State<Item> {
  const last = before?.source === source ? before.found : {};
  if (found.items === undefined) return { source, found: { ...last, ...found } };
  const items = kept(last.items ?? [], found.items, (item) => source.keyOf(item));
  const isSame = before !== undefined && items === last.items && last.problem === undefined;
  return isSame ? before : { source, found: { items } };
}
