import type { Tool } from '../tool/tool.ts';
import type { Settings } from './settings.ts';

/**
 * Tools added since the user last saw a list of them, to mark as new. Empty if no list was ever shown ({@link
 * withSeen}) or migrated from an older app.
 */
export function unseenTools(settings: Settings, tools: readonly Tool[]): readonly Tool[] {
  const { seen, newTools } = settings;
  if (seen === undefined && newTools === undefined) return [];
  const known = new Set([...(seen ?? []), ...Object.keys(settings.tools)]);
  return tools.filter((tool) => tool.internal !== true && namesOf(tool).every((name) => !known.has(name)));
}

/** Settings with these tools marked as seen; the same object if they already were. */
export function withSeen(settings: Settings, tools: readonly Tool[]): Settings {
  const { seen = [] } = settings;
  const more = tools.map(({ name }) => name).filter((name) => !seen.includes(name));
  return more.length === 0 ? settings : { ...settings, seen: [...seen, ...more] };
}

/** Names in settings of tools that do not exist: not yet, or no longer. */
export function absentTools(settings: Settings, tools: readonly Tool[]): readonly string[] {
  const present = new Set(tools.flatMap(namesOf));
  return Object.keys(settings.tools).filter((name) => !present.has(name));
}

/** Settings without these names, for tools that are gone for good. */
export function withoutTools(settings: Settings, names: readonly string[]): Settings {
  const isKept = (name: string): boolean => !names.includes(name);
  const tools = Object.fromEntries(Object.entries(settings.tools).filter(([name]) => isKept(name)));
  return { ...settings, tools, ...(settings.seen && { seen: settings.seen.filter(isKept) }) };
}

function namesOf({ name, formerNames = [] }: Tool): readonly string[] {
  return [name, ...formerNames];
}
