import { isObject, messageOf } from '@utensil/core';
import { checkHttpServer } from './http-address.ts';
import { namespaceOf } from './namespace.ts';
import type { McpEra, McpServer } from './server.ts';

/**
 * A program that serves while it runs. It may do everything that the user may: never run one named by a model or a
 * page.
 */
export interface McpCommand {
  /** Run directly, without a shell. */
  readonly command: string;
  /** Default: none. */
  readonly args?: readonly string[];
  /** Variables in addition to `PATH`, `HOME` and similar ones. The rest of the app's environment is not passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory. Default: the app's. */
  readonly cwd?: string;
  /** Default: `legacy`. */
  readonly era?: McpEra;
}

/** Options of {@link readMcpConfig}. */
export interface McpConfigOptions {
  /** Values of `${NAME}`, such as the environment of the process. Default: none. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /**
   * Creates servers from commands: `stdioServer` of `@utensil/interop-mcp/node`. Absent: commands are reported as
   * problems.
   */
  readonly stdio?: (command: McpCommand) => McpServer;
}

/** A server of a configuration. */
export interface ConfiguredServer {
  readonly name: string;
  /** Namespace for `registry.mount`, derived from the name. */
  readonly namespace: string;
  readonly server: McpServer;
  /** Filter of its tools for `mcpSource`, if the configuration has one. */
  readonly include?: (name: string) => boolean;
}

/** A parsed configuration. */
export interface McpConfig {
  readonly servers: readonly ConfiguredServer[];
  /** Unusable servers with the reasons, one sentence each. */
  readonly problems: readonly string[];
}

/**
 * Reads the `mcpServers` (or `servers`) of other apps: commands with `args`, `env` and `cwd`, or addresses with
 * `headers`. Texts may contain `${NAME}`, `${NAME:-default}` and `${env:NAME}`. An error affects only its own server.
 * Servers of one namespace are all refused, so that none can take the place of another.
 * Entries with `disabled: true` or `enabled: false` are skipped; `includeTools` and `excludeTools` filter the tools of
 * a server.
 *
 * @example
 * ```ts
 * import { readMcpConfig } from '@utensil/interop-mcp/client';
 *
 * const config = { mcpServers: { docs: { url: 'https://mcp.example.com', headers: { Authorization: 'Bearer ${TOKEN}' } } } };
 * const { servers, problems } = readMcpConfig(config, { variables: { TOKEN: 'a-token' } });
 * ```
 */
export function readMcpConfig(config: unknown, options: McpConfigOptions = {}): McpConfig {
  const servers: ConfiguredServer[] = [];
  const problems: string[] = [];
  const all: unknown = isObject(config) ? (config['mcpServers'] ?? config['servers']) : undefined;
  if (!isObject(all)) return { servers, problems: ['The configuration has no object `mcpServers`.'] };
  for (const [name, entry] of Object.entries(all)) {
    try {
      if (isObject(entry) && (entry['disabled'] === true || entry['enabled'] === false)) continue;
      servers.push({ name, namespace: namespaceOf(name), server: readServer(entry, options), ...includeOf(entry) });
    } catch (error) {
      problems.push(`The MCP server "${name}" cannot be used: ${messageOf(error)}`);
    }
  }
  const rivals = servers.filter(({ namespace }) => servers.filter((each) => each.namespace === namespace).length > 1);
  for (const { name, namespace } of rivals)
    problems.push(`The MCP server "${name}" cannot be used: another one has its namespace "${namespace}". Rename one.`);
  return { servers: servers.filter((each) => !rivals.includes(each)), problems };
}

/**
 * `includeTools` and `excludeTools`, or `enabled_tools` and `disabled_tools`. An empty list includes all; exclusions
 * win.
 */
function includeOf(entry: unknown): Pick<ConfiguredServer, 'include'> {
  if (!isObject(entry)) return {};
  const included = namesIn(entry, 'includeTools', 'enabled_tools');
  const excluded = namesIn(entry, 'excludeTools', 'disabled_tools');
  if (included === undefined && excluded === undefined) return {};
  return { include: (name) => (included?.includes(name) ?? true) && !(excluded?.includes(name) ?? false) };
}

function namesIn(entry: Readonly<Record<string, unknown>>, ...keys: readonly string[]): readonly unknown[] | undefined {
  const key = keys.find((each) => entry[each] !== undefined);
  const names = key === undefined ? undefined : entry[key];
  if (names === undefined || Array.isArray(names)) return names;
  throw new Error(`\`${key}\` is not an array.`);
}

const httpTypes: readonly unknown[] = [undefined, 'http', 'streamable-http', 'streamableHttp'];

function readServer(entry: unknown, { variables = {}, stdio }: McpConfigOptions): McpServer {
  if (!isObject(entry)) throw new Error('it is not an object.');
  const { type, command, args, env, cwd, url, headers } = entry;
  const read = (value: unknown, where: string): string => expanded(value, where, variables);
  const readAll = (values: unknown, where: string): Record<string, string> => {
    if (!isObject(values)) throw new Error(`\`${where}\` is not an object.`);
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, read(value, `${where}.${key}`)]));
  };
  if (url !== undefined) {
    if (!httpTypes.includes(type)) throw new Error(`its type ${JSON.stringify(type)} is not offered: use "http".`);
    const server = { url: read(url, 'url'), ...(headers !== undefined && { headers: readAll(headers, 'headers') }) };
    checkHttpServer(server);
    return server;
  }
  if (command === undefined) throw new Error('it has neither `url` nor `command`.');
  if (stdio === undefined) throw new Error('commands cannot be run here: give a `url`.');
  if (args !== undefined && !Array.isArray(args)) throw new Error('`args` is not an array.');
  return stdio({
    command: read(command, 'command'),
    ...(args !== undefined && { args: args.map((each, index) => read(each, `args.${index}`)) }),
    ...(env !== undefined && { env: readAll(env, 'env') }),
    ...(cwd !== undefined && { cwd: read(cwd, 'cwd') }),
  });
}

const variable = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Messages never contain the value, which may be a secret. */
function expanded(value: unknown, where: string, variables: Readonly<Record<string, string | undefined>>): string {
  if (typeof value !== 'string') throw new Error(`\`${where}\` is not a string.`);
  if (/\$\{(?:input|command):/.test(value))
    throw new Error(`\`${where}\` asks for an input, which only its own editor can.`);
  return value.replaceAll(variable, (_, name: string, fallback: string | undefined) => {
    const found = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const given = found ?? fallback;
    if (given === undefined) throw new Error(`\`${where}\` needs the variable ${name}, which is not set.`);
    return given;
  });
}
