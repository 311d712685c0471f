import { isEnabled, settingsOf, withCategory } from '@utensil/core/settings';
import type { Settings, Tool } from '@utensil/core';
import type { ToolGroup } from './groups.ts';

/** Settings with an option reset to its default. */
export function withoutOption(settings: Settings, tool: Tool, id: string): Settings {
  const { options = {}, ...rest } = settingsOf(settings, tool);
  const { [id]: _, ...others } = options;
  return { ...settings, tools: { ...settings.tools, [tool.name]: { ...rest, options: others } } };
}

/** Settings with all tools of a group on or off. */
export function withGroup(settings: Settings, { category, tools }: ToolGroup, enabled: boolean): Settings {
  if (category !== undefined) return withCategory(settings, tools, [category, enabled]);
  const switched = tools.map((tool) => [tool.name, { ...settingsOf(settings, tool), enabled }] as const);
  return { ...settings, tools: { ...settings.tools, ...Object.fromEntries(switched) } };
}

/** Number of enabled tools in a group. */
export function countOn(settings: Settings, { tools }: ToolGroup): number {
  return tools.filter((tool) => isEnabled(settings, tool)).length;
}
