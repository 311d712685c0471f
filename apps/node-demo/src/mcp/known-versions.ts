import type { Decision, Policy, Seals, SettingsStore, Toolset } from '@utensil/core';
import { type PinnedTool, type SettingsPins, settingsPolicy, settingsRules } from '@utensil/core/guard';

/**
 * Versions of the tools of servers, in the settings of the folder. A tool that has changed since it was first seen is asked about, even
 * with `--yes`, until the person accepts it.
 */
export interface KnownVersions {
  /** Decides as the given policy, unless a tool has changed: asks, or denies with the reason if nobody can be asked. */
  policy(otherwise: Policy, options: { readonly interactive: boolean }): Policy;
  /** Stores the versions of new tools, and returns the toolset. */
  seen(toolset: Toolset): Toolset;
  /** Changed tools of a namespace that were called since. */
  changed(namespace: string): Promise<readonly PinnedTool[]>;
  /** Accepts the current versions of the changed tools of a namespace, and returns their names. */
  accept(namespace: string): Promise<readonly string[]>;
}

/** Without `seals`, no version can be kept: the policy alone decides. */
export function knownVersions(settings: SettingsStore, seals: Seals | undefined): KnownVersions {
  const pins = seals && settingsRules(settings, { seals, scope: 'folder' }).pins;

  async function changed(namespace: string): Promise<readonly PinnedTool[]> {
    const all = (await pins?.list()) ?? [];
    return all.filter((tool) => tool.changed !== undefined && tool.name.startsWith(`${namespace}_`));
  }

  return {
    // The folder has no rules of its own: only the versions are checked.
    policy(otherwise, { interactive }) {
      if (pins === undefined) return otherwise;
      const policy = settingsPolicy({ explain: () => Promise.resolve(undefined), pins }, { otherwise });
      return interactive ? policy : async (request) => unasked(await policy(request));
    },
    seen(toolset) {
      if (toolset.foreign.length > 0) void see(pins, toolset);
      return toolset;
    },
    changed,
    async accept(namespace) {
      const tools = await changed(namespace);
      for (const { name, changed: toolFingerprint = '' } of tools) await pins?.accept({ name, toolFingerprint });
      return tools.map(({ name }) => name);
    },
  };
}

function unasked(decision: Decision): Decision {
  if (typeof decision === 'string' || !('ask' in decision)) return decision;
  return { deny: `${decision.ask} Nobody is here to ask; /mcp accept accepts it.` };
}

async function see(pins: SettingsPins | undefined, toolset: Toolset): Promise<void> {
  await pins?.see(toolset).catch(() => undefined); // the first call tries again, and asks if it fails
}
