import { createElement, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { FunctionComponent, HTMLAttributes, Ref } from 'react';

/** The events of an element, by the property of the component that hears them: what each tells. */
export type Listeners<Details> = {
  readonly [Property in keyof Details]?: ((event: CustomEvent<Details[Property]>) => void) | undefined;
};

/**
 * What a component takes: some of the properties of its element, listeners to its events, and what any HTML element takes
 * (`className`, `id`, `style`, `onClick` …). A property that is `undefined` is as if it had not been given.
 */
export type ElementProps<Kind extends HTMLElement, Names extends keyof Kind, Details> = {
  readonly ref?: Ref<Kind> | undefined;
} & { readonly [Name in Names]?: Kind[Name] | undefined } & Listeners<Details> &
  Omit<HTMLAttributes<Kind>, Names | keyof Details>;

/** A class of elements that says which properties they have, as those of Lit do. */
interface ElementKind {
  new (): HTMLElement;
  readonly properties: object;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * A custom element as a component: `events` names the events of the element by the properties of the component. Properties
 * and listeners are given to the element after each commit: React gives none of them to one that came from a server, and
 * sets what is no longer given to `undefined`, which an `id` has as a text.
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

/** What was given for a property last, and what the element had before anything was. */
interface PropertyBefore {
  readonly given: unknown;
  readonly own: unknown;
}

/** Sets what is given anew. What the element has changed itself since then stays, as does what is not given at all. */
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

/** Hears events with the functions that were given last. */
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
