import { createElement, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { FunctionComponent, HTMLAttributes, Ref } from 'react';

/** Details of an element's events, by the listener property of its component. */
export type Listeners<Details> = {
  readonly [Property in keyof Details]?: ((event: CustomEvent<Details[Property]>) => void) | undefined;
};

/**
 * Props of a component: some properties of its element, listeners for its events, and the common attributes of HTML
 * elements (`className`, `id`, `style`, `onClick` …). An `undefined` prop counts as omitted.
 */
export type ElementProps<Kind extends HTMLElement, Names extends keyof Kind, Details> = {
  readonly ref?: Ref<Kind> | undefined;
} & { readonly [Name in Names]?: Kind[Name] | undefined } & Listeners<Details> &
  Omit<HTMLAttributes<Kind>, Names | keyof Details>;

/** An element class that declares its properties, as Lit's do. */
interface ElementKind {
  new (): HTMLElement;
  readonly properties: object;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Wraps a custom element as a component; `events` maps listener props to event names. Properties and listeners are
 * applied after each commit, because React applies none to a server-rendered element, and sets omitted ones to
 * `undefined`, which an `id` turns into text.
 */
export function component<Props extends object>(
  Kind: ElementKind,
  name: string,
  events?: Readonly<Partial<Record<keyof Props, string>>>,
): FunctionComponent<Props> {
  const properties = Object.keys(Kind.properties);
  const listeners = Object.entries<string>({ ...events });
  const own = new Set([...properties, ...listeners.map(([property]) => property)]);

  function Component({ ref, ...given }: Given & { readonly ref?: Ref<HTMLElement | null> }) {
    const element = useRef<HTMLElement>(null);
    const latest = useRef<Given>({});
    const before = useRef(new Map<string, PropertyBefore>());
    useLayoutEffect(() => {
      const gone = Object.keys(latest.current).filter((key) => given[key] === undefined && !own.has(key));
      latest.current = given;
      if (element.current === null) return;
      for (const key of gone) element.current.removeAttribute(key === 'className' ? 'class' : key);
      give(element.current, pick(given, properties), before.current);
    });
    useLayoutEffect(() => {
      const { current: target } = element;
      return target === null ? undefined : listen(target, listeners, latest);
    }, []);
    useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element.current, []);
    const others = Object.entries(given).filter(([key]) => !own.has(key));
    return createElement(name, { ...Object.fromEntries(others), ref: element });
  }

  Component.displayName = Kind.name;
  return Component as FunctionComponent<Props>;
}

/** Last value of a prop, and the element's own value before. */
interface PropertyBefore {
  readonly given: unknown;
  readonly own: unknown;
}

/** Applies changed props. Properties that the element changed itself, and omitted ones, stay. */
function give(element: HTMLElement, wanted: ReadonlyMap<string, unknown>, known: Map<string, PropertyBefore>): void {
  for (const [name, value] of wanted) {
    const before = known.get(name);
    if (Object.is(value, before?.given)) continue;
    const own: unknown = before === undefined ? Reflect.get(element, name) : before.own;
    if (value === undefined) known.delete(name);
    else known.set(name, { given: value, own });
    Reflect.set(element, name, value === undefined ? own : value);
  }
}

function pick(given: Given, names: readonly string[]): ReadonlyMap<string, unknown> {
  return new Map(names.map((name) => [name, given[name]]));
}

/** Subscribes the latest listeners to events. */
function listen(
  element: HTMLElement,
  listeners: readonly (readonly [property: string, event: string])[],
  latest: { readonly current: Given },
): () => void {
  const stops = listeners.map(([property, type]) => {
    const hear = (event: Event): void => {
      const listener = latest.current[property];
      if (typeof listener === 'function') listener(event);
    };
    element.addEventListener(type, hear);
    return () => element.removeEventListener(type, hear);
  });
  return () => stops.forEach((stop) => stop());
}
