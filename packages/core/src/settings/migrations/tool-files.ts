import { isObject } from '../../base/json.ts';
import { without } from './step.ts';
import type { OldDocument } from './step.ts';

const keyField = 'perplexity_api_key';
const keyTool = 'perplexity_ask';

/** `tools.json`: a key in it enables its tool. The key itself is not a setting: {@link toolsFileSecrets}. */
export function fromToolsFile(file: OldDocument): OldDocument {
  if (!Object.hasOwn(file, keyField)) return file;
  return {
    ...without(file, (field) => field === keyField),
    version: 0,
    tools: { ...choicesOf(file), [keyTool]: { enabled: isKey(file[keyField]) } },
  };
}

/** Secrets of `tools.json`, by their names in the host's `secrets`. `${NAME}` stands for an environment variable. */
export function toolsFileSecrets(file: unknown): Readonly<Record<string, string>> {
  const key = isObject(file) ? file[keyField] : undefined;
  return isKey(key) ? { [`${keyTool}.apiKey`]: key } : {};
}

function isKey(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/**
 * `mcp-servers.json`: the enabled servers, and the enabled tools of each. The tools of a server have the category
 * `mcp__{server}` and the names `mcp__{server}__{tool}`. The command and keys of a server stay in that file.
 */
export function fromServersFile(file: OldDocument): OldDocument {
  const { servers, ...rest } = file;
  if (!isObject(servers)) return file;
  const entries = Object.entries(servers).flatMap(([name, server]) =>
    isObject(server) ? [serverOf(name, server)] : [],
  );
  return {
    ...rest,
    version: 0,
    tools: Object.assign(choicesOf(file), ...entries.map(({ tools }) => tools)),
    categories: Object.assign({}, ...entries.map(({ categories }) => categories)),
  };
}

interface ServerChoices {
  readonly tools: Readonly<Record<string, { readonly enabled: boolean }>>;
  readonly categories: Readonly<Record<string, boolean>>;
}

function serverOf(name: string, server: OldDocument): ServerChoices {
  const category = `mcp__${plain(name)}`;
  const isOn = server['enabled'] !== false;
  const allowed = namesIn(server['enabled_tools']);
  const denied = namesIn(server['disabled_tools']) ?? [];
  const on = isOn ? (allowed ?? []).filter((tool) => !denied.includes(tool)) : [];
  const entries = [
    ...on.map((tool) => [tool, { enabled: true }] as const),
    ...denied.map((tool) => [tool, { enabled: false }] as const),
  ]
    .map(([tool, choice]) => [`${category}__${plain(tool)}`, choice] as const)
    .filter(([tool]) => tool.length <= longestName);
  return {
    tools: Object.fromEntries(entries),
    categories: isOn && allowed === undefined ? {} : { [category]: false },
  };
}

/** Longer names were truncated, with a hash at the end. */
const longestName = 64;

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, '_');
}

function namesIn(list: unknown): readonly string[] | undefined {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : undefined;
}

function choicesOf({ tools }: OldDocument): Record<string, unknown> {
  return isObject(tools) ? { ...tools } : {};
}
