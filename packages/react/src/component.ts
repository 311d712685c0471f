import { createElement } from 'react';
import type { FunctionComponent, ReactNode, Ref } from 'react';

/** What every component of an element takes. */
export interface CommonProps<Element extends HTMLElement> {
  readonly ref?: Ref<Element>;
  readonly id?: string;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** The events of an element, by the property of the component that hears them: what each tells. */
export type Listeners<Details> = {
  readonly [Property in keyof Details]?: (event: CustomEvent<Details[Property]>) => void;
};

/** What a component takes: some of the properties of its element, and listeners. */
export type ElementProps<Element extends HTMLElement, Names extends keyof Element, Details> = CommonProps<Element> & {
  readonly [Name in Names]?: Element[Name];
} & Listeners<Details>;

/**
 * A custom element as a component. React sets what the element has as properties; its events are those of the names given,
 * `onAnswer` for `utensil-answer`. The class is given so that its module, which makes the element known, is there.
 */
export function component<Props extends object>(
  Kind: abstract new (...given: never) => HTMLElement,
  name: string,
  events?: Readonly<Partial<Record<keyof Props, string>>>,
): FunctionComponent<Props> {
  const listeners = new Map<string, string>(Object.entries<string>({ ...events }));
  const Component: FunctionComponent<Props> = (props) => {
    const given = Object.entries(props).map(([key, value]): [string, unknown] => {
      const event = listeners.get(key);
      return [event === undefined ? key : `on${event}`, value];
    });
    return createElement(name, Object.fromEntries(given));
  };
  Component.displayName = Kind.name;
  return Component;
}
