import { createElement } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';

// Shared by the tests.

/** Something that React shows until the test is over. */
export interface Rendered {
  readonly box: HTMLElement;
  render(node: ReactNode): void;
  unmount(): void;
}

export function render(node: ReactNode): Rendered {
  const box = document.createElement('div');
  document.body.append(box);
  const root = createRoot(box);
  const show = (next: ReactNode): void => flushSync(() => root.render(next));
  onTestFinished(() => {
    root.unmount();
    box.remove();
  });
  show(node);
  return { box, render: show, unmount: () => flushSync(() => root.unmount()) };
}

/** A component that uses a hook, and the hook's value in each rendering. */
export interface UsedHook<Given, Value> {
  readonly seen: readonly Value[];
  /** The last value. */
  value(): Value;
  again(given: Given): void;
  unmount(): void;
}

export function renderHook<Given extends object, Value>(
  useHook: (given: Given) => Value,
  given: Given,
  wrap: (node: ReactNode) => ReactNode = (node) => node,
): UsedHook<Given, Value> {
  const seen: Value[] = [];
  function Probe(props: Given): ReactNode {
    seen.push(useHook(props));
    return null;
  }
  const rendered = render(wrap(createElement(Probe, given)));
  return {
    seen,
    value: () => seen.at(-1) as Value,
    again: (next) => rendered.render(wrap(createElement(Probe, next))),
    unmount: rendered.unmount,
  };
}

/** The source with a count of those that listen to it. */
export function counted<Source extends { subscribe(listener: () => void): () => void }>(
  source: Source,
): Source & { readonly count: () => number } {
  let count = 0;
  const subscribe = (listener: () => void): (() => void) => {
    const leave = source.subscribe(listener);
    count++;
    return () => {
      count--;
      leave();
    };
  };
  return new Proxy(
    { ...source, subscribe, count: () => count },
    {
      get: (own, key) => Reflect.get(key === 'subscribe' || key === 'count' ? own : source, key) as unknown,
    },
  );
}

/** A promise that is kept when the test says so. */
export interface Later<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
}

export function later<Value = void>(): Later<Value> {
  const keepIdentity: { resolve?: (value: Value) => void } = {};
  const promise = new Promise<Value>((resolve) => (keepIdentity.resolve = resolve));
  return { promise, resolve: (value) => keepIdentity.resolve?.(value) };
}

/** For slow machines: waits longer for expected states. */
export const patient = { timeout: 100_000 };
