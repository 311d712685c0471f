import { UtensilError } from '../base/errors.ts';
import { ownMember } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { optionProblem } from '../tool/option.ts';
import type { Tool } from '../tool/tool.ts';
import type { SealedGrant, SealedPin, StoredRule } from './sealed.ts';

/** The version in which {@link Settings} are written. */
export const settingsVersion = 2;

/** The user's choices for one tool. Absent members were never chosen. */
export interface ToolSettings {
  readonly enabled?: boolean;
  /** By option id. Unknown or invalid values are kept and ignored. */
  readonly options?: { readonly [id: string]: Json };
  /** Instructions for the model in place of the tool's own prompt. Empty: none. */
  readonly instructions?: string;
  /** Permissions to run without asking. Grants without a valid seal of the app are kept and ignored. */
  readonly grants?: readonly SealedGrant[];
  /** The version of a tool of others that is known here: see `SettingsRules.pins`. */
  readonly pin?: SealedPin;
}

/** The user's choices for a project or a thread: one JSON document. Tools that are not registered keep theirs. */
export interface Settings {
  readonly version: typeof settingsVersion;
  readonly tools: { readonly [name: string]: ToolSettings };
  /** By category: true if its tools are enabled, unless a tool has its own setting. */
  readonly categories?: { readonly [category: string]: boolean };
  /** Default for tools without a setting of their own. Absent: each tool's own default. */
  readonly newTools?: boolean;
  /** Tools that the user has seen in the settings. */
  readonly seen?: readonly string[];
  /** The user's rules about calls. A rule that this version cannot read is kept, and asks. */
  readonly rules?: readonly StoredRule[];
}

/** Nothing chosen yet. */
export const emptySettings: Settings = { version: settingsVersion, tools: {} };

/** Settings of a tool, under its current or a former name. */
export function settingsOf({ tools }: Settings, tool: Tool): ToolSettings {
  const own = ownMember(tools, tool.name);
  if (own !== undefined && !isOfNameAlone(own)) return own;
  const former = tool.formerNames?.find((name) => Object.hasOwn(tools, name));
  return { ...(former !== undefined && tools[former]), ...own };
}

/** Grants and versions are stored under the current name, so they may be all there is. */
function isOfNameAlone(settings: ToolSettings): boolean {
  return Object.keys(settings).every((member) => member === 'grants' || member === 'pin');
}

/** Settings stored under the name of a tool. */
export function settingsOfName({ tools }: Settings, name: string): ToolSettings {
  return ownMember(tools, name) ?? {};
}

/**
 * True if a tool is enabled: by the user's choice, else its category's, else the project's, else its own default, else
 * true.
 */
export function isEnabled(settings: Settings, tool: Tool): boolean {
  const { categories = {}, newTools } = settings;
  const category = tool.ui?.category;
  const ofCategory = category === undefined ? undefined : ownMember(categories, category);
  return settingsOf(settings, tool).enabled ?? ofCategory ?? newTools ?? tool.defaultEnabled ?? true;
}

/** Settings with a tool enabled or disabled. Its options are kept. */
export function withEnabled(settings: Settings, tool: Tool, enabled: boolean): Settings {
  return withTool(settings, tool, { enabled });
}

/** Settings with a category enabled or disabled: its tools given here, and those added later. */
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
  const definition = tool.options && ownMember(tool.options, id);
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

/** Settings with the user's own instructions for a tool; without any, the tool's prompt applies again. */
export function withInstructions(settings: Settings, tool: Tool, instructions?: string): Settings {
  if (instructions !== undefined) return withTool(settings, tool, { instructions });
  const { instructions: _, ...rest } = settingsOf(settings, tool);
  return { ...settings, tools: { ...settings.tools, [tool.name]: rest } };
}

function withTool(settings: Settings, tool: Tool, change: ToolSettings): Settings {
  return { ...settings, tools: { ...settings.tools, [tool.name]: { ...settingsOf(settings, tool), ...change } } };
}
