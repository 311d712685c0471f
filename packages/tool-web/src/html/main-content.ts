import type { Measures } from './measure.ts';
import { besideRoles, besideTags } from './tags.ts';
import type { Element } from './tree.ts';

/** Elements that mark the main text, in order of trust. */
const landmarks: readonly ((element: Element) => boolean)[] = [
  ({ name, attributes }) => name === 'main' || attributes.get('role') === 'main',
  ({ name, attributes }) => name === 'article' || attributes.get('role') === 'article',
  ({ attributes }) => /^(?:main-?)?content$/i.test(attributes.get('id') ?? ''),
];

/** Minimum share of all text for a landmark to be trusted, and a sufficient absolute amount. */
const leastShare = 0.25;
const enoughText = 1_000;

/** Minimum share if no landmark marks the text. */
const mostShare = 0.6;

/** Common names of secondary content. */
const beside =
  /(?:^|[\s_-])(?:ads?|advert\w*|banner|breadcrumbs?|cookies?|footer|masthead|menu|nav|navbar|navigation|newsletter|popup|promo|related|share|sharing|sidebar|social|sponsor\w*|subscribe|toolbar|widget)(?:$|[\s_-])/i;

/** True for secondary content: a menu, a footer, an advertisement. */
export function isBeside({ name, attributes }: Element): boolean {
  if (besideTags.has(name)) return true;
  if (besideRoles.has(attributes.get('role') ?? '')) return true;
  if (attributes.size === 0 || name === 'a' || name === 'span') return false;
  return beside.test(attributes.get('class') ?? '') || beside.test(attributes.get('id') ?? '');
}

/**
 * The element with the main text of a page: the landmark set by its author, else the element with most paragraphs, else
 * the whole page.
 */
export function mainContent(root: Element, measures: Measures): Element {
  const whole = measures.of(root).text;
  const isEnough = (element: Element): boolean =>
    measures.of(element).text >= Math.min(enoughText, whole * leastShare) && measures.of(element).text > 0;
  for (const isLandmark of landmarks) {
    const marked = measures.elements.filter(isLandmark);
    const [first] = marked.toSorted((a, b) => measures.of(b).text - measures.of(a).text);
    const isOne = first !== undefined && marked.every((each) => each === first || isInside(each, first, measures));
    if (isOne && isEnough(first)) return first;
  }
  const densest = mostParagraphs(measures);
  return densest !== undefined && measures.of(densest).text >= whole * mostShare ? densest : root;
}

function isInside(element: Element, outer: Element, { parentOf }: Measures): boolean {
  for (let above = parentOf(element); above !== undefined; above = parentOf(above)) if (above === outer) return true;
  return false;
}

const paragraphTags: ReadonlySet<string> = new Set(['p', 'pre', 'blockquote']);

/** A paragraph counts for its parent, half for its grandparent, and less the more of it are links. */
function mostParagraphs({ elements, of, parentOf }: Measures): Element | undefined {
  const scores = new Map<Element, number>();
  const add = (element: Element | undefined, score: number): void => {
    if (element !== undefined) scores.set(element, (scores.get(element) ?? 0) + score);
  };
  for (const element of elements) {
    const { text, linked } = of(element);
    if (!paragraphTags.has(element.name) || text < 25) continue;
    const parent = parentOf(element);
    const score = text - linked;
    add(parent, score);
    add(parent && parentOf(parent), score / 2);
  }
  let best: Element | undefined;
  for (const [element, score] of scores) if (best === undefined || score > (scores.get(best) ?? 0)) best = element;
  return best;
}
