import type { Principal } from '../../tool/capability.ts';
import type { Toolset } from '../../toolset/toolset.ts';

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

/**
 * The versions of the tools of others (`foreign`: those of MCP servers) that a project knows, from the first time that each is seen. A tool
 * that is another one since, by its texts, schemas, effects or origin, is asked about whatever allows it, until the user accepts the new
 * version, or answers "always".
 */
export interface SettingsPins {
  /**
   * Stores the versions of all foreign tools that have none yet: call it when a source is mounted, before a model sees
   * its tools.
   */
  see(toolset: Pick<Toolset, 'foreign' | 'tool'>): Promise<void>;
  /**
   * Compares a tool with its known version; the first time, keeps it. Undefined if it is the known one, else a sentence for people
   * that says why its calls are asked about. A version that this user has always allowed becomes the known one.
   */
  problemOf(tool: ToolVersion, principal?: Principal): Promise<string | undefined>;
  /** The tools whose version is known, by name. */
  list(): Promise<readonly PinnedTool[]>;
  /** Makes a version the known one: what allows the tool counts for it from then on. */
  accept(tool: ToolVersion): Promise<void>;
}

/** Versions whose code is loaded with the first call: most runs have no tools of others. */
export function loadedLater(load: () => Promise<SettingsPins>): SettingsPins {
  let loading: Promise<SettingsPins> | undefined;
  const loaded = (): Promise<SettingsPins> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined; // the next call tries again
      throw error;
    }));
  return {
    see: async (toolset) => (await loaded()).see(toolset),
    problemOf: async (tool, principal) => (await loaded()).problemOf(tool, principal),
    list: async () => (await loaded()).list(),
    accept: async (tool) => (await loaded()).accept(tool),
  };
}
