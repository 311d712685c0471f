import { cleanLine } from '../clean.ts';
import { blockTags } from './tags.ts';
import { parsePage } from './tree.ts';
import type { Node } from './tree.ts';

/** Text of an element on one line. */
export function lineOf(node: Node, most?: number): string {
  const parts: string[] = [];
  const add = (each: Node): void => {
    if (typeof each === 'string') return void parts.push(each);
    const space = each.name === 'br' || blockTags.has(each.name) ? ' ' : '';
    parts.push(space);
    each.children.forEach(add);
    parts.push(space);
  };
  add(node);
  return cleanLine(parts.join(''), most);
}

/** Removes markup from a text and puts it on one line. */
export function plainLine(html: string, most?: number): string {
  return lineOf(parsePage(html).body, most);
}
