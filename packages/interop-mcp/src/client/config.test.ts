import { describe, expect, it } from 'vitest';
import { readMcpConfig } from './index.ts';
import type { McpCommand, McpConfigOptions } from './index.ts';

const commands: McpCommand[] = [];
const options: McpConfigOptions = {
  variables: { TOKEN: 'secret', HOME: '/home/ada', NONE: undefined },
  stdio(command) {
    commands.push(command);
    return { transport: () => Promise.reject(new Error('not started')) };
  },
};
const read = (entry: unknown, more = options) =>
  readMcpConfig({ mcpServers: { one: entry, good: { url: 'https://a.example' } } }, more);

describe('a configuration of servers', () => {
  it('has commands with arguments, environment and directory, and their variables', () => {
    commands.length = 0;
    const { problems } = read({
      command: 'npx',
      args: ['-y', '${HOME}/x', '${MODE:-fast}'],
      env: { KEY: '${env:TOKEN}' },
      cwd: '${HOME}',
    });
    expect(problems).toEqual([]);
    expect(commands).toEqual([
      { command: 'npx', args: ['-y', '/home/ada/x', 'fast'], env: { KEY: 'secret' }, cwd: '/home/ada' },
    ]);
  });

  it('has addresses with headers, in the words of each app', () => {
    const { servers } = readMcpConfig(
      {
        servers: {
          docs: { type: 'http', url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
        },
      },
      options,
    );
    expect(servers).toEqual([
      {
        name: 'docs',
        namespace: 'docs',
        server: { url: 'https://a.example/mcp', headers: { Authorization: 'Bearer secret' } },
      },
    ]);
  });

  it.each([
    [{ command: 'x', args: ['${MISSING}'] }, '`args.0` needs the variable MISSING, which is not set'],
    [{ command: 'x', env: { A: '${NONE}' } }, '`env.A` needs the variable NONE'],
    [{ command: 'x', env: { A: '${input:key}' } }, 'asks for an input'],
    [{ command: 'x', env: { A: '${constructor}' } }, 'needs the variable constructor'],
    [{ command: 7 }, '`command` is not a string'],
    [{ command: 'x', args: 'y' }, '`args` is not an array'],
    [{ command: 'x', includeTools: 'y' }, '`includeTools` is not an array'],
    [{ url: 'http://mcp.example.com' }, 'is not encrypted'],
    [{ url: 'nonsense' }, 'must start with https://'],
    [{ url: '${TOKEN}' }, 'must start with https://'],
    [{ url: 'http://a.example/${TOKEN}?k=${TOKEN}' }, 'at "a.example" is not encrypted'],
    [{ url: 'https://ada:${TOKEN}@a.example/${TOKEN}' }, 'has a name or a password in it'],
    [{ url: 'https://a.example', headers: { Authorization: 'Bearer ${TOKEN}\nx' } }, 'A header for an MCP server'],
    [{ url: 'https://a.example', headers: { '${TOKEN} secret': 'x' } }, 'A header for an MCP server'],
    [{ url: 'https://a.example', headers: { A: '${TOKEN}“' } }, 'A header for an MCP server'],
    [{ type: 'sse', url: 'https://a.example' }, 'its type "sse" is not offered'],
    [{}, 'neither `url` nor `command`'],
    ['npx', 'it is not an object'],
  ])('with %j costs that server alone, and is named', (entry, problem) => {
    const { servers, problems } = read(entry);
    expect(servers.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('The MCP server "one" cannot be used: ');
    expect(problems[0]).toContain(problem);
    expect(problems[0]).not.toContain('secret');
  });

  it('starts no commands if none can be run', () => {
    expect(read({ command: 'x' }, {}).problems[0]).toContain('commands cannot be run here');
  });

  it('leaves out what is disabled, and chooses among the tools of a server', () => {
    for (const off of [{ disabled: true }, { enabled: false }])
      expect(read({ command: 'x', ...off }).servers.map(({ name }) => name)).toEqual(['good']);
    const [first] = read({ command: 'x', enabled_tools: ['a', 'b'], disabled_tools: ['b'] }).servers;
    expect(['a', 'b', 'c'].filter((name) => first?.include?.(name))).toEqual(['a']);
  });

  it('gives each server a namespace that depends on its name alone', () => {
    const names = ['github', 'my_server', 'my server', '1st', 'ümlaut', 'a'.repeat(60), '__proto__x'];
    const namespaces = names.map(
      (name) => readMcpConfig({ mcpServers: { [name]: { url: 'https://a.example' } } }).servers[0]?.namespace,
    );
    expect(namespaces[0]).toBe('github');
    expect(new Set(namespaces).size).toBe(names.length);
    for (const namespace of namespaces) expect(namespace).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,23}$/);
  });

  it('with two servers of one namespace has neither of them, whatever their order', () => {
    const [derived] = readMcpConfig({ mcpServers: { 'my server': { url: 'https://a.example' } } }).servers;
    const both = ['my server', derived?.namespace ?? ''];
    for (const names of [both, both.toReversed()]) {
      const entries = [...names, 'good'].map((name) => [name, { url: 'https://a.example' }]);
      const { servers, problems } = readMcpConfig({ mcpServers: Object.fromEntries(entries) });
      expect(servers.map(({ name }) => name)).toEqual(['good']);
      expect(problems).toEqual(names.map((name) => expect.stringContaining(`"${name}" cannot be used: another one`)));
    }
  });

  it('that is none is a problem', () => {
    for (const config of [undefined, null, [], {}, { mcpServers: [] }])
      expect(readMcpConfig(config)).toEqual({
        servers: [],
        problems: ['The configuration has no object `mcpServers`.'],
      });
  });
});
