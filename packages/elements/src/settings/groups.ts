import type { Tool } from '@utensil/core';

/** Tools that are shown together. */
export interface ToolGroup {
  /** Category as declared; undefined if there is none. */
  readonly category: string | undefined;
  readonly tools: readonly Tool[];
}

/** Tools by category, in order of appearance; uncategorized ones last. */
export function groupsOf(tools: readonly Tool[]): readonly ToolGroup[] {
  const groups = new Map<string | undefined, Tool[]>();
  for (const tool of tools) {
    const group = groups.get(tool.ui?.category);
    if (group === undefined) groups.set(tool.ui?.category, [tool]);
    else group.push(tool);
  }
  const all = Array.from(groups, ([category, tools]): ToolGroup => ({ category, tools }));
  return [
    ...all.filter(({ category }) => category !== undefined),
    ...all.filter(({ category }) => category === undefined),
  ];
}

/** Tools whose visible texts contain every search word. */
export function foundAmong(tools: readonly Tool[], search: string): readonly Tool[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return words.length === 0 ? tools : tools.filter((tool) => words.every((word) => searched(tool).includes(word)));
}

const known = new WeakMap<Tool, string>();

function searched(tool: Tool): string {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const { name, title, ui = {}, options = {} } = tool;
  const labels = Object.values(options).map(({ label }) => label);
  const text = plain([name, title, ui.subtitle, ui.category, ...labels].filter(Boolean).join('\n'));
  known.set(tool, text);
  return text;
}

/** Without case and accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
}
