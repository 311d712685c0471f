/** Maximum cost of a note: the parser needs about a second. */
export const mostCost = 100_000_000;

/** Separators of blocks: a blank line, the beginning of a list item. */
const blocks = /\n[ \t\r]*\n|\n(?=[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t])/;

/** Characters that can nest a line in lists and quotes. */
const heads = /^[ \t>+*\d.)-]+/gm;

/**
 * Estimated time of a parse, in steps of about 10 ns. It grows with the number of blocks, with the square of the marks in a block, with the text
 * between a mark and its end, and with the depth of lists and quotes.
 */
export function parseCost(text: string): number {
  let cost = nestingCost(text);
  for (const block of text.split(blocks)) {
    cost += block.replace(/[^[\]()!*_`<>]+/g, '').length ** 2 + scanCost(block) + 500;
    if (cost > mostCost) break;
  }
  return cost;
}

/** Lists and quotes: each line is compared with all those around it. */
function nestingCost(text: string): number {
  let [deepest, cost] = [0, 0];
  for (const [head] of text.matchAll(heads)) {
    const columns = head.replaceAll('\t', '    ').length;
    deepest = Math.max(deepest, columns / 2);
    cost += (head.match(/>|[-+*.)](?=[ \t])/g)?.length ?? 0) ** 2;
  }
  return cost + 4 * deepest * (text.split('\n').length - 1);
}

/** Marks after which the parser looks for an end, up to the end of the block. */
const openers = /<!--|<\?|<!\[CDATA\[|<|\]\(| ["'(]/g;
const ends: Readonly<Record<string, string>> = {
  '<!--': '-->',
  '<?': '?>',
  '<![CDATA[': ']]>',
  '<': '>',
  '](': ' ',
  ' "': '"',
  " '": "'",
  ' (': ')',
};

/** In blocks up to this length, the square of the marks is more. */
const shortBlock = 200;

function scanCost(block: string): number {
  if (block.length <= shortBlock) return 0;
  const text = block.replace(/\s/g, ' ');
  const found = new Map<string, number>();
  let cost = 0;
  for (const { 0: opener, index } of text.matchAll(openers)) {
    const end = ends[opener] ?? '';
    const start = index + opener.length;
    let at = found.get(end) ?? -1;
    if (at < start) {
      at = text.indexOf(end, start);
      if (at === -1) at = text.length;
      found.set(end, at);
    }
    cost += at - start;
  }
  return cost;
}
