import { isEnabled, settingsOf, withCategory, withEnabled } from '@utensil/core';
import type { Settings, Tool } from '@utensil/core';
import type { ToolGroup } from './groups.ts';

/** Settings with an option of a tool at its default again. */
export function withoutOption(settings: Settings, tool: Tool, id: string): Settings {
  const { options = {}, ...rest } = settingsOf(settings, tool);
  const { [id]: _, ...others } = options;
  return { ...settings, tools: { ...settings.tools, [tool.name]: { ...rest, options: others } } };
}

/** Settings with all tools of a group on or off. */
export function withGroup(settings: Settings, { category, tools }: ToolGroup, enabled: boolean): Settings {
  const changed = tools.map((tool) => {
    const alone = { ...settings, tools: { [tool.name]: settingsOf(settings, tool) } }; // thousands are not copied for each
    return [tool.name, settingsOf(withEnabled(alone, tool, enabled), tool)] as const;
  });
  const all = { ...settings, tools: { ...settings.tools, ...Object.fromEntries(changed) } };
  return category === undefined ? all : withCategory(all, [], [category, enabled]);
}

/** How many tools of a group are on. */
export function countOn(settings: Settings, { tools }: ToolGroup): number {
  return tools.filter((tool) => isEnabled(settings, tool)).length;
}

/** The names of the tools that run without being asked about. */
export function grantedIn({ tools }: Settings): readonly string[] {
  return Object.entries(tools).flatMap(([name, { grant }]) => (grant === undefined ? [] : [name]));
}
