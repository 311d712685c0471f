import { messageOf, UtensilError } from '../base/errors.ts';
import type { Effect } from '../model/effect.ts';
import { wireName } from '../model/wire-name.ts';
import type { MountOptions, ToolSource } from './source.ts';
import type { Tool } from './tool.ts';
import type { ToolRender, ToolUi } from './presentation.ts';

/** The tools of a list, sorted by name. */
export interface Admitted {
  readonly tools: readonly Tool[];
  /** Reasons why tools were left out. */
  readonly problem?: string;
}

/** Maximum length of a description. */
const longestDescription = 16_000;

/** Maximum length of a name, as given by the source. */
const longestName = 1_000;

/**
 * Admits tools of a source to its namespace. A tool that cannot be admitted becomes one whose definition fails: it is
 * unavailable with the reason, like any tool whose own definition fails. The same input object yields the same output
 * object.
 */
export function createAdmission(
  { namespace, trusted = false, limit = 1_000 }: MountOptions,
  { toolTimeMs: timeoutMs }: Pick<ToolSource, 'toolTimeMs'> = {},
): (listed: readonly unknown[]) => Admitted {
  const known = new WeakMap<object, Tool>();
  const failed = new Map<string, Tool>(); // keyed by name and reason

  function admit(given: unknown): Tool {
    const before = isTool(given) ? known.get(given) : undefined;
    if (before !== undefined) return before;
    const admitted = attempt(given);
    if (isTool(given)) known.set(given, admitted);
    return admitted;
  }

  function attempt(given: unknown): Tool {
    let name = `${namespace}_unnamed`;
    try {
      if (!isTool(given)) throw new Error('it is not an object.');
      name = nameIn(namespace, given.name);
      const tool = trusted ? given : strangers(given, namespace);
      const time = timeoutMs !== undefined && { timeoutMs };
      return { ...time, ...tool, name, ...former(given, namespace), ...groupIn(namespace, given) };
    } catch (error) {
      return failedTool(name, messageOf(error));
    }
  }

  function failedTool(name: string, reason: string): Tool {
    const key = `${name} ${reason}`;
    const tool = failed.get(key) ?? unusable(name, reason);
    if (failed.size >= 1_000) failed.clear();
    failed.set(key, tool);
    return tool;
  }

  return (listed) => {
    const byName = new Map<string, Tool>();
    const twice = new Map<string, Tool>();
    for (const given of listed) {
      const tool = admit(given);
      const { name } = tool;
      if (!byName.has(name)) byName.set(name, tool);
      else if (byName.get(name) !== tool) twice.set(name, failedTool(name, 'more than one tool has this name.'));
    }
    for (const [name, tool] of twice) byName.set(name, tool); // admit neither: their order means nothing
    const tools = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (tools.length <= limit) return { tools };
    const problem = `"${namespace}" lists ${tools.length} tools: ${tools.length - limit} are left out, as ${limit} are allowed.`;
    return { tools: tools.slice(0, limit), problem };
  };
}

function isTool(given: unknown): given is Tool {
  return typeof given === 'object' && given !== null;
}

/** Valid on every API, and independent of the other tools of the source. */
function nameIn(namespace: string, name: unknown): string {
  if (typeof name !== 'string' || name === '') throw new Error('it has no name.');
  if (name.length > longestName) throw new Error(`its name has ${name.length} characters; ${longestName} are allowed.`);
  return wireName(`${namespace}_${name}`);
}

function former({ formerNames }: Tool, namespace: string): Pick<Tool, 'formerNames'> {
  return formerNames === undefined ? {} : { formerNames: formerNames.map((name) => nameIn(namespace, name)) };
}

/** A private group: a source cannot add to the groups of others. */
function groupIn(namespace: string, { group }: Tool): Pick<Tool, 'group'> {
  return group === undefined ? {} : { group: nameIn(namespace, group) };
}

/** A placeholder for an unusable tool: unavailable, for this reason. */
function unusable(name: string, reason: string): Tool {
  const fail = (): never => {
    throw new UtensilError('invalid_tool', `Its source lists an unusable definition: ${reason}`);
  };
  return { name, description: '', input: fail, effects: 'destructive', foreign: true };
}

/** Annotations of an untrusted source can only tighten: see `MountOptions.trusted`. */
function strangers(tool: Tool, namespace: string): Tool {
  if (tool.requires !== undefined && Object.keys(tool.requires).length > 0)
    throw new Error('it requires capabilities of the host, which only a source gets that is mounted as `trusted`.');
  const {
    input,
    options,
    output,
    examples,
    execute,
    settle,
    defaultEnabled,
    defer,
    concurrency,
    description,
    effects,
    origin,
  } = tool;
  const isBounded = typeof concurrency === 'number' && concurrency >= 1;
  return {
    name: tool.name,
    description: typeof description === 'function' ? (values) => plain(description(values)) : plain(description),
    input,
    effects: typeof effects === 'function' ? (...given) => worse(effects(...given)) : worse(effects),
    openWorld: true,
    foreign: true,
    ui: strangersUi(tool.ui, namespace),
    ...(tool.title !== undefined && { title: plain(tool.title) }),
    ...(options && { options }),
    ...(output && { output }),
    ...(examples && { examples }),
    ...(execute && { execute: (...given) => execute.call(tool, ...given) }),
    ...(settle && { settle: (...given) => settle.call(tool, ...given) }),
    ...(origin !== undefined && { origin }),
    ...(tool.render && { render: renderOf(tool.render) }),
    ...(defaultEnabled === false && { defaultEnabled }),
    ...(defer === true && { defer }),
    ...(isBounded && { concurrency }),
  };
}

/** The category is the source's: a choice for one of the app's categories does not apply to untrusted tools. */
function strangersUi({ subtitle, icon }: ToolUi = {}, category: string): ToolUi {
  return {
    category,
    ...(subtitle !== undefined && { subtitle: plain(subtitle) }),
    ...(icon !== undefined && { icon: plain(icon) }),
  };
}

function renderOf({ title, status, model, user }: ToolRender): ToolRender {
  return { ...(title && { title }), ...(status && { status }), ...(model && { model }), ...(user && { user }) };
}

const worseEffects: Readonly<Record<string, Effect>> = { read: 'write' };

function worse(effect: Effect): Effect {
  return worseEffects[effect] ?? 'destructive';
}

/** Removes characters that are invisible to people but not to models: controls, bidi controls, tags. */
const unseen = /[\p{Cc}\u200b\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

function plain(text: unknown): string {
  if (typeof text !== 'string') throw new Error(`its texts must be strings; got ${typeof text}.`);
  if (text.length > longestDescription)
    throw new Error(`a text of it has ${text.length} characters; ${longestDescription} are allowed.`);
  return text.replaceAll(unseen, (each) => (each === '\n' || each === '\t' ? each : ''));
}
