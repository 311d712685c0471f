import type { Measures } from './measure.ts';
import type { Element } from './tree.ts';

const simple = /^([a-z][a-z0-9-]*)?((?:[#.][A-Za-z0-9_-]+)*)$/i;

/** Elements that a selector matches, without nested matches; undefined for unsupported selectors. */
export function select(selector: string, { elements, parentOf }: Measures): readonly Element[] | undefined {
  const tests = selector.split(',').map((each) => testFor(each.trim()));
  if (tests.includes(undefined)) return undefined;
  const found = new Set(elements.filter((element) => tests.some((test) => test?.(element))));
  return [...found].filter((element) => {
    for (let above = parentOf(element); above !== undefined; above = parentOf(above))
      if (found.has(above)) return false;
    return true;
  });
}

/** Parses `name`, `#id`, `.class`, or a combination. */
function testFor(selector: string): ((element: Element) => boolean) | undefined {
  const [, name, rest = ''] = simple.exec(selector) ?? [];
  if (name === undefined && rest === '') return undefined;
  const parts = rest.match(/[#.][^#.]+/g) ?? [];
  return (element) => {
    const classes = (element.attributes.get('class') ?? '').split(/\s+/);
    return (
      (name === undefined || element.name === name.toLowerCase()) &&
      parts.every((part) =>
        part.startsWith('#') ? element.attributes.get('id') === part.slice(1) : classes.includes(part.slice(1)),
      )
    );
  };
}
