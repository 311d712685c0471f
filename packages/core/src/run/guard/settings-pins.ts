import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Seals } from '../../base/seals.ts';
import { compileTool } from '../../call/compile.ts';
import type { SealedPin } from '../../settings/sealed.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SettingsStore } from '../../settings/store.ts';
import { allPins, pinOf, withPins } from '../../settings/stored-pins.ts';
import type { Principal } from '../../tool/capability.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import { grantOf, settingsGrants } from '../grants.ts';

/** A tool of others, in one version. */
export interface ToolVersion {
  readonly name: string;
  readonly toolFingerprint: string;
}

/** A tool of others whose version is known in a project. */
export interface PinnedTool extends ToolVersion {
  /** Milliseconds since 1970 at which this version was first seen, or accepted. */
  readonly since: number;
  /** The fingerprint of the version that it has by now, if nobody has accepted that. */
  readonly changed?: string;
}

/** The versions of the tools of others that a project knows. */
export interface SettingsPins {
  /** Keeps the versions of all tools of others, where none is kept: call it when a source is mounted, before a model sees its tools. */
  see(toolset: Pick<Toolset, 'foreign' | 'tool'>): Promise<void>;
  /**
   * Compares a tool with its known version; the first time, keeps it. Undefined if it is the known one, else a sentence for people
   * that says why its calls are asked about. A version that this user has always allowed becomes the known one.
   */
  problemOf(tool: ToolVersion, principal?: Principal): Promise<string | undefined>;
  /** The tools whose version is known, by name. */
  list(): readonly PinnedTool[];
  /** Makes a version the known one: what allows the tool counts for it from then on. */
  accept(tool: ToolVersion): Promise<void>;
}

/** Options of {@link settingsPins}. */
export interface SettingsPinsOptions {
  /** Seals by a key that other programs cannot read: a version that another program wrote is not known. */
  readonly seals: Seals;
  /** The project. */
  readonly scope: string;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

type Store = Pick<SettingsStore, 'current' | 'update'> & Partial<Pick<SettingsStore, 'reload'>>;

/**
 * The versions of the tools of others (`foreign`: those of MCP servers), kept in the settings of a project from the first time that each
 * is seen. A tool that is another one since, by its texts, schemas, effects or origin, is asked about whatever allows it, until the user
 * accepts the new version, or answers "always". Part of {@link settingsRules}.
 *
 * @example
 * ```ts
 * import { createRecords, createRegistry, hmacSeals, openSettings, resolveToolset } from '@utensil/core';
 * import { settingsPins } from '@utensil/core/guard';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const settings = await openSettings(createRecords(memoryStorage()), 'default');
 * const seals = hmacSeals(crypto.getRandomValues(new Uint8Array(32))); // kept outside the project
 * const pins = settingsPins(settings, { seals, scope: 'default' });
 * await pins.see(resolveToolset(createRegistry(), settings.current(), {}));
 * for (const { name, changed } of pins.list())
 *   if (changed !== undefined) await pins.accept({ name, toolFingerprint: changed }); // once the user has agreed
 * ```
 */
export function settingsPins(store: Store, { seals, scope, now = Date.now }: SettingsPinsOptions): SettingsPins {
  const grants = settingsGrants(store, { seals, scope, now });
  const statement = ({ name, toolFingerprint }: ToolVersion, time: number): JsonObject => ({
    type: 'pin',
    scope,
    name,
    toolFingerprint,
    time,
  });

  async function pinned(tool: ToolVersion): Promise<SealedPin> {
    const time = now();
    return { toolFingerprint: tool.toolFingerprint, time, seal: await seals.make(statement(tool, time)) };
  }

  /** Keeps versions where none is kept by then. */
  async function keepNew(tools: readonly ToolVersion[]): Promise<void> {
    if (tools.length === 0) return;
    const pins = await Promise.all(tools.map(async (tool) => [tool.name, await pinned(tool)] as const));
    await store.update((settings) => {
      const unknown = pins.filter(([name]) => pinOf(settings, name) === undefined);
      return unknown.length === 0 ? settings : withPins(settings, Object.fromEntries(unknown));
    });
  }

  async function accept(tool: ToolVersion): Promise<undefined> {
    const pin = await pinned(tool);
    await store.update((settings) => withPins(settings, { [tool.name]: pin }));
  }

  async function noteChange({ name, toolFingerprint }: ToolVersion): Promise<void> {
    await store.update((settings) => {
      const pin = pinOf(settings, name);
      if (pin === undefined || pin.changed === toolFingerprint) return settings;
      return withPins(settings, { [name]: { ...pin, changed: toolFingerprint } });
    });
  }

  async function problemNow(tool: ToolVersion, principal: Principal | undefined): Promise<string | undefined> {
    if (pinOf(store.current(), tool.name) === undefined) await keepNew([tool]);
    const pin = pinOf(store.current(), tool.name);
    if (pin === undefined) return 'The version of this tool could not be kept.';
    const { toolFingerprint, time, seal } = pin;
    if (!(await seals.fits(statement({ name: tool.name, toolFingerprint }, time), seal))) return foreign;
    if (toolFingerprint === tool.toolFingerprint) return undefined;
    if ((await grants.has(grantOf({ ...tool, principal }))) === true) return accept(tool);
    await noteChange(tool).catch(() => undefined); // for the list alone
    return `This tool has changed since ${new Date(time).toISOString().slice(0, 10)}: its description, its schema, its effects, or who answers its calls. What allowed it before does not count for it.`;
  }

  return {
    async see(toolset) {
      const settings = store.current();
      const unknown = toolset.foreign.filter((name) => pinOf(settings, name) === undefined);
      const tools = await Promise.all(unknown.map((name) => versionOf(toolset, name, settings)));
      await keepNew(tools.filter((tool) => tool !== undefined));
    },
    async problemOf(tool, principal) {
      try {
        return await problemNow(tool, principal);
      } catch (error) {
        return `The version of this tool cannot be checked: ${messageOf(error)}`;
      }
    },
    list: () =>
      allPins(store.current()).map(([name, { toolFingerprint, time, changed }]) => ({
        name,
        toolFingerprint,
        since: time,
        ...(typeof changed === 'string' && { changed }),
      })),
    accept,
  };
}

async function versionOf(
  toolset: Pick<Toolset, 'tool'>,
  name: string,
  settings: Settings,
): Promise<ToolVersion | undefined> {
  const tool = toolset.tool(name);
  if (tool === undefined) return undefined;
  return { name, toolFingerprint: await compileTool(tool, settingsOf(settings, tool).options).fingerprint() };
}

const foreign =
  'The version of this tool that is known here was written by another program, is of another project, or the key of the app is new.';
