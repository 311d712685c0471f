import { UtensilError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { optionProblem } from '../tool/option.ts';
import type { Tool } from '../tool/tool.ts';
import type { SealedGrant, StoredRule } from './sealed.ts';

/** The version that {@link Settings} are written in. */
export const settingsVersion = 2;

/** The user's choices for one tool. Absent members were never chosen. */
export interface ToolSettings {
  readonly enabled?: boolean;
  /** By option id. Options that are unknown or no longer valid stay as they are, and are not used. */
  readonly options?: { readonly [id: string]: Json };
  /** What the model is told of the tool, in the place of the tool's own prompt. Empty: nothing. */
  readonly instructions?: string;
  /** Permissions to run without a question. What no app of ours has sealed stays in the list, and does not count. */
  readonly grants?: readonly SealedGrant[];
}

/** The user's choices for a project, or for a thread: one JSON document. Tools that are not registered keep theirs. */
export interface Settings {
  readonly version: typeof settingsVersion;
  readonly tools: { readonly [name: string]: ToolSettings };
  /** True if the tools of a category are on, where nothing is said of the tool itself. */
  readonly categories?: { readonly [category: string]: boolean };
  /** Default for tools without a setting of their own. Absent: each tool's own default. */
  readonly newTools?: boolean;
  /** The tools that the user has seen in the settings. */
  readonly seen?: readonly string[];
  /** The user's rules about calls. What this version cannot read stays in the list, and asks. */
  readonly rules?: readonly StoredRule[];
}

/** Nothing chosen yet. */
export const emptySettings: Settings = { version: settingsVersion, tools: {} };

/** What is said of a tool, under its name or an earlier one. */
export function settingsOf({ tools }: Settings, tool: Tool): ToolSettings {
  const isKnown = (name: string): boolean => Object.hasOwn(tools, name);
  const own = isKnown(tool.name) ? tools[tool.name] : undefined;
  if (own !== undefined && !isGrantAlone(own)) return own;
  const former = tool.formerNames?.find(isKnown);
  return { ...(former !== undefined && tools[former]), ...own };
}

/** Grants are kept by name, so they may be all that is said under the present name. */
function isGrantAlone(settings: ToolSettings): boolean {
  return Object.keys(settings).join() === 'grants';
}

/** What is said under the name of a tool. */
export function settingsOfName({ tools }: Settings, name: string): ToolSettings {
  return (Object.hasOwn(tools, name) ? tools[name] : undefined) ?? {};
}

/** True if a tool is on: by the user's choice, else its category's, else the project's, else its own default, else yes. */
export function isEnabled(settings: Settings, tool: Tool): boolean {
  const { categories = {}, newTools } = settings;
  const category = tool.ui?.category;
  const ofCategory = category !== undefined && Object.hasOwn(categories, category) ? categories[category] : undefined;
  return settingsOf(settings, tool).enabled ?? ofCategory ?? newTools ?? tool.defaultEnabled ?? true;
}

/** Settings with a tool switched on or off. Its options stay. */
export function withEnabled(settings: Settings, tool: Tool, enabled: boolean): Settings {
  return withTool(settings, tool, { enabled });
}

/** Settings with a whole category switched on or off: those of its tools that are given here, and those that come later. */
export function withCategory(
  settings: Settings,
  tools: readonly Tool[],
  [category, enabled]: readonly [category: string, enabled: boolean],
): Settings {
  const switched = tools
    .filter((tool) => tool.ui?.category === category)
    .map((tool) => [tool.name, { ...settingsOf(settings, tool), enabled }] as const);
  return {
    ...settings,
    tools: { ...settings.tools, ...Object.fromEntries(switched) },
    categories: { ...settings.categories, [category]: enabled },
  };
}

/**
 * Settings with an option of a tool set.
 *
 * @throws `invalid_option` where the tool has no such option, or the value does not fit it.
 */
export function withOption(settings: Settings, tool: Tool, [id, value]: readonly [id: string, value: Json]): Settings {
  const definition = tool.options && Object.hasOwn(tool.options, id) ? tool.options[id] : undefined;
  if (definition === undefined) {
    const known = Object.keys(tool.options ?? {}).join(', ') || 'none';
    throw new UtensilError('invalid_option', `Tool "${tool.name}" has no option "${id}". Its options: ${known}.`);
  }
  const problem = optionProblem(definition, value);
  if (problem !== undefined) {
    throw new UtensilError(
      'invalid_option',
      `Option "${id}" of tool "${tool.name}" ${problem}; got ${JSON.stringify(value)}.`,
    );
  }
  return withTool(settings, tool, { options: { ...settingsOf(settings, tool).options, [id]: value } });
}

/** Settings with instructions of the user's own for a tool; without any, the tool's own prompt is used again. */
export function withInstructions(settings: Settings, tool: Tool, instructions?: string): Settings {
  if (instructions !== undefined) return withTool(settings, tool, { instructions });
  const { instructions: _, ...rest } = settingsOf(settings, tool);
  return { ...settings, tools: { ...settings.tools, [tool.name]: rest } };
}

function withTool(settings: Settings, tool: Tool, change: ToolSettings): Settings {
  return { ...settings, tools: { ...settings.tools, [tool.name]: { ...settingsOf(settings, tool), ...change } } };
}
