import { createListeners } from '../base/listeners.ts';
import type { Registry } from '../tool/registry.ts';
import type { Tool } from '../tool/tool.ts';
import { settingsOf, settingsOfName } from './settings.ts';
import type { Settings, ToolSettings } from './settings.ts';
import type { SettingsStore } from './store.ts';
import { mergedRules } from './stored-rules.ts';

/**
 * Effective settings of a thread: its own, completed by those of the project, option by option. `tools` are the tools
 * that may have former names.
 *
 * @example
 * ```ts
 * import { emptySettings } from '@utensil/core';
 * import { isEnabled, overSettings, withEnabled } from '@utensil/core/settings';
 * import { memoryTool } from '@utensil/tool-memory';
 *
 * const project = withEnabled(emptySettings, memoryTool, true);
 * const thread = withEnabled(emptySettings, memoryTool, false);
 * console.log(isEnabled(overSettings(project, thread), memoryTool)); // false
 * ```
 */
export function overSettings(project: Settings, thread: Settings, tools: readonly Tool[] = []): Settings {
  const [below, above] = [withCurrentNames(project, tools), withCurrentNames(thread, tools)];
  const merged = Object.keys(above.tools).map((name): [string, ToolSettings] => [
    name,
    overTool(settingsOfName(below, name), settingsOfName(above, name)),
  ]);
  const categories = { ...below.categories, ...above.categories };
  const rules = mergedRules(project.rules ?? [], thread.rules ?? []);
  return {
    ...below,
    ...above,
    ...(project.seen && { seen: project.seen }),
    ...((below.categories ?? above.categories) && { categories }),
    ...(rules.length > 0 && { rules }),
    tools: { ...below.tools, ...Object.fromEntries(merged) },
  };
}

function overTool(below: ToolSettings, above: ToolSettings): ToolSettings {
  return {
    ...below,
    ...above,
    ...(below.options && above.options && { options: { ...below.options, ...above.options } }),
    ...(below.grants && above.grants && { grants: [...below.grants, ...above.grants] }),
  };
}

/** Moves settings under former names of tools to their current names. */
function withCurrentNames(settings: Settings, tools: readonly Tool[]): Settings {
  const renamed = tools.filter(({ formerNames = [] }) =>
    formerNames.some((name) => Object.hasOwn(settings.tools, name)),
  );
  const entries = renamed.map((tool): [string, ToolSettings] => [tool.name, settingsOf(settings, tool)]);
  return { ...settings, tools: { ...settings.tools, ...Object.fromEntries(entries) } };
}

/**
 * Live settings of a thread: `current` is {@link overSettings} of both, and changes go to the thread's own. `close`
 * closes only those, because other threads may share the project's.
 */
export function layerSettings(
  project: SettingsStore,
  thread: SettingsStore,
  registry: Pick<Registry, 'snapshot' | 'subscribe'>,
): SettingsStore {
  let layered: Settings | undefined;
  let parts: readonly unknown[] = [];

  function current(): Settings {
    const now = [project.current(), thread.current(), registry.snapshot()] as const;
    if (layered === undefined || now.some((part, index) => part !== parts[index])) layered = overSettings(...now);
    parts = now;
    return layered;
  }

  return {
    current,
    change(change) {
      thread.change(change);
      return current();
    },
    async update(change) {
      await thread.update(change);
      return current();
    },
    async flush() {
      await Promise.all([project.flush(), thread.flush()]);
    },
    async reload() {
      await Promise.all([project.reload(), thread.reload()]);
      return current();
    },
    close: () => thread.close(),
    subscribe(listener) {
      const { notify, subscribe } = createListeners();
      const leave = [subscribe(listener), ...[project, thread, registry].map((part) => part.subscribe(notify))];
      return () => leave.forEach((end) => end());
    },
    get problem() {
      return thread.problem ?? project.problem;
    },
  };
}
