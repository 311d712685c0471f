import type { Element } from './tree.ts';
import { blockTags } from './tags.ts';

/** Measurements of an element. */
export interface Measure {
  /** Characters of text, without spaces. */
  readonly text: number;
  /** Characters of text in links. */
  readonly linked: number;
  /** True if the element contains block elements. */
  readonly hasBlocks: boolean;
  readonly hasImages: boolean;
}

/** Measurements of all elements, and their parents. */
export interface Measures {
  of(element: Element): Measure;
  parentOf(element: Element): Element | undefined;
  /** All elements in document order. */
  readonly elements: readonly Element[];
}

const empty: Measure = { text: 0, linked: 0, hasBlocks: false, hasImages: false };

/** Measures all elements of a tree in one pass. */
export function measure(root: Element): Measures {
  const measures = new Map<Element, Measure>();
  const parents = new Map<Element, Element>();
  const elements: Element[] = [];

  function visit(element: Element): Measure {
    elements.push(element);
    let text = 0;
    let linked = 0;
    let hasBlocks = false;
    let hasImages = element.name === 'img';
    for (const child of element.children) {
      if (typeof child === 'string') {
        text += child.replaceAll(/\s+/g, '').length;
        continue;
      }
      parents.set(child, element);
      const inside = visit(child);
      text += inside.text;
      linked += inside.linked;
      hasBlocks ||= inside.hasBlocks || blockTags.has(child.name);
      hasImages ||= inside.hasImages;
    }
    const measured = { text, linked: element.name === 'a' ? text : linked, hasBlocks, hasImages };
    measures.set(element, measured);
    return measured;
  }

  visit(root);
  return {
    of: (element) => measures.get(element) ?? empty,
    parentOf: (element) => parents.get(element),
    elements,
  };
}
