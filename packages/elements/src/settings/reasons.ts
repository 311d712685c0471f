import { createRegistry, resolveToolset } from '@utensil/core';
import { settingsOf, withEnabled } from '@utensil/core/settings';
import type { Host, Settings, Tool } from '@utensil/core';

/** Reasons that tools are unavailable, enabled or not. Each is recomputed only when its settings or the host change. */
export function reasonsFor(host: Host): (tool: Tool, settings: Settings) => string | undefined {
  const known = new WeakMap<Tool, { readonly of: string; readonly reason: string | undefined }>();
  return function reason(tool, settings) {
    const own = settingsOf(settings, tool);
    const of = JSON.stringify(own.options ?? {});
    const before = known.get(tool);
    if (before?.of === of) return before.reason;
    const alone = { ...settings, tools: { [tool.name]: own } };
    const { unavailable } = resolveToolset(createRegistry([tool]), withEnabled(alone, tool, true), host);
    const reason = unavailable[0]?.reason;
    known.set(tool, { of, reason });
    return reason;
  };
}
