import { UtensilError } from '../base/errors.ts';
import { isObject, ownMember } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { isText, isTexts } from '../base/shape.ts';
import type { Check } from '../base/shape.ts';
import { settingsVersion } from './settings.ts';
import type { Settings, ToolSettings } from './settings.ts';
import { listOf } from './stored-list.ts';

/** Converts a document of one version to the next. Pure; does not throw for a document of its version. */
type Migration = (document: Record<string, unknown>) => Record<string, unknown>;

/**
 * The chain: the step at index n reads version n and writes version n + 1. A document without a version is version 0.
 */
const migrations: readonly Migration[] = [fromEnabledList, fromOneGrant];

/** Version 0: `{ enabledTools: string[], toolOptions: { [tool]: options } }`. Tools not listed were off. */
function fromEnabledList(document: Record<string, unknown>): Record<string, unknown> {
  const { enabledTools, toolOptions, tools, ...rest } = document;
  const enabled = Array.isArray(enabledTools) ? enabledTools.filter((name) => typeof name === 'string') : undefined;
  const options = isObject(toolOptions) ? toolOptions : {};
  const names = new Set([...(enabled ?? []), ...Object.keys(options)]);
  const migrated = Array.from(names, (name): [string, ToolSettings] => {
    const stored = ownMember(options, name);
    const isOn = enabled && { enabled: enabled.includes(name) };
    return [name, { ...isOn, ...(isObject(stored) && { options: stored as Record<string, Json> }) }];
  });
  const own = isObject(tools) ? Object.entries(tools) : [];
  return { ...rest, version: 1, ...(enabled && { newTools: false }), tools: Object.fromEntries([...migrated, ...own]) };
}

/**
 * Version 1: one `grant` per tool, and no rules. Any `rules` are kept, although an app of version 1 would not have
 * obeyed them.
 */
function fromOneGrant(document: Record<string, unknown>): Record<string, unknown> {
  const { tools } = document;
  if (!isObject(tools)) return { ...document, version: 2 };
  const migrated = Object.entries(tools).map(([name, tool]): [string, unknown] => {
    if (!isObject(tool) || !Object.hasOwn(tool, 'grant')) return [name, tool];
    const { grant, grants, ...rest } = tool;
    return [name, { ...rest, grants: [...listOf(grants), grant] }];
  });
  return { ...document, version: 2, tools: Object.fromEntries(migrated) };
}

/**
 * Parses settings of any version up to the current one.
 *
 * @throws `settings_corrupt` if it is not a settings document, `settings_newer` if a later version wrote it. The
 * stored text should then be left unchanged.
 */
export function migrateSettings(stored: unknown): Settings {
  if (!isObject(stored)) throw corruptSettings('it is not an object');
  const version = stored['version'] ?? 0;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 0)
    throw corruptSettings(`its version is ${JSON.stringify(version)}`);
  if (version > settingsVersion) {
    throw new UtensilError(
      'settings_newer',
      `These settings have version ${version}, and this app reads up to version ${settingsVersion}: update the app.`,
    );
  }
  const document = migrations.slice(version).reduce<Record<string, unknown>>((current, step) => step(current), stored);
  if (!isObject(document['tools'])) throw corruptSettings('it has no "tools"');
  for (const [name, tool] of Object.entries(document['tools'])) checkTool(name, tool);
  refuseFaulty(document, ofDocument);
  return document as Record<string, unknown> & Settings;
}

/** Optional members: the test of each, and the fault of a value that fails it. */
type Members = Readonly<Record<string, readonly [check: Check, fault: string]>>;

const ofDocument: Members = {
  categories: [isObject, 'is not an object'],
  seen: [isTexts, 'is not a list of names'],
  rules: [Array.isArray, 'is not a list'],
};

const ofTool: Members = {
  enabled: [(value) => typeof value === 'boolean', 'is neither true nor false'],
  instructions: [isText, 'is not a text'],
  options: [isObject, 'is not an object'],
};

function refuseFaulty(stored: Record<string, unknown>, members: Members, owner = ''): void {
  for (const [member, [check, fault]] of Object.entries(members))
    if (stored[member] !== undefined && !check(stored[member])) throw corruptSettings(`"${member}"${owner} ${fault}`);
}

function checkTool(name: string, tool: unknown): void {
  if (!isObject(tool)) throw corruptSettings(`its entry for tool "${name}" is not an object`);
  refuseFaulty(tool, ofTool, ` of tool "${name}"`);
}

/** Error for a stored document that is not settings. */
export function corruptSettings(why: string): UtensilError {
  return new UtensilError('settings_corrupt', `The stored settings cannot be read: ${why}.`);
}
