import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Seals } from '../../base/seals.ts';
import { compileTool } from '../../call/compile.ts';
import { fingerprintOf } from '../../call/tool-fingerprint.ts';
import type { SealedPin } from '../../settings/sealed.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SettingsStore } from '../../settings/store.ts';
import { allPins, pinOf, withPins } from '../../settings/stored-pins.ts';
import type { Principal } from '../../tool/capability.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import { grantOf } from './grants.ts';
import { settingsGrants } from './settings-grants.ts';
import type { SettingsPins, ToolVersion } from './tool-versions.ts';

/** The seals, the project and the clock of the rules. */
interface PinsSetup {
  readonly seals: Seals;
  readonly scope: string;
  readonly now: () => number;
}

type Store = Pick<SettingsStore, 'current' | 'update'> & Partial<Pick<SettingsStore, 'reload'>>;

/** The versions of the tools of others, in the settings of a project. Loaded with the first of them. */
export function settingsPins(store: Store, { seals, scope, now }: PinsSetup): SettingsPins {
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

  /** Stores versions of tools that have none by then. */
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
    list: async () =>
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
  return { name, toolFingerprint: fingerprintOf(compileTool(tool, settingsOf(settings, tool).options)) };
}

const foreign =
  'The version of this tool that is known here was written by another program, is of another project, or the key of the app is new.';
