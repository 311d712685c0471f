function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Elements without end tags. */
export const voidTags = words(
  'area base basefont br col command embed frame hr img input keygen link meta param source track wbr',
);

/** Document-level tags, ignored because the tree has its own root. */
export const bodyTags = words('html head body');

/** Elements without readable text: programs, media, drawings and form controls. `title` is read separately. */
export const unreadTags = words(
  'applet audio button canvas datalist embed frame frameset iframe input link map math meta noembed noframes noscript object option optgroup param script select source style svg template textarea title track video',
);

/** Block elements. */
export const blockTags = words(
  'address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul',
);

/** Secondary content of a page. */
export const besideTags = words('aside footer nav search');
export const besideRoles = words('banner complementary contentinfo dialog menu menubar navigation search toolbar');

interface Closing {
  readonly ends: ReadonlySet<string>;
  /** Elements at which the search ends. */
  within(name: string): boolean;
}

const listTags = words('ul ol menu dir');
const rowTags = words('tr td th');
const isTable = (name: string): boolean => name === 'table';

const closings: Readonly<Record<string, Closing>> = {
  li: { ends: words('li'), within: (name) => listTags.has(name) },
  dd: { ends: words('dd dt'), within: (name) => name === 'dl' },
  dt: { ends: words('dd dt'), within: (name) => name === 'dl' },
  tr: { ends: rowTags, within: isTable },
  td: { ends: words('td th'), within: (name) => name === 'tr' || isTable(name) },
  th: { ends: words('td th'), within: (name) => name === 'tr' || isTable(name) },
  tbody: { ends: words('thead tbody tfoot tr td th'), within: isTable },
  tfoot: { ends: words('thead tbody tfoot tr td th'), within: isTable },
  a: { ends: words('a'), within: (name) => blockTags.has(name) },
};
const paragraph: Closing = { ends: words('p'), within: (name) => blockTags.has(name) };

/** The elements that a start tag closes implicitly. */
export function closedBy(name: string): Closing | undefined {
  if (Object.hasOwn(closings, name)) return closings[name];
  return blockTags.has(name) ? paragraph : undefined;
}

const unseen = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** True for an element hidden from people. */
export function isHidden(attributes: ReadonlyMap<string, string>): boolean {
  if (attributes.size === 0) return false;
  return (
    attributes.has('hidden') || attributes.get('aria-hidden') === 'true' || unseen.test(attributes.get('style') ?? '')
  );
}
