// The same request to both vendors: the official SDKs, over HTTP, against a local server. The streams are written by
// hand.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Handler, loopback, sse } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { describe, expect, it } from 'vitest';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';
import { demoTools } from './tools.ts';

const toolNames = demoTools({}).flatMap(({ name, defaultEnabled = true }) => (defaultEnabled ? [name] : []));

interface Call {
  readonly id: string;
  readonly input: object;
}

const text = 'buy “oat” milk 🥛\n';
const turns: readonly (readonly Call[])[] = [
  [{ id: 'one', input: { command: 'create', path: '/notes/todo.md', file_text: text } }],
  [
    { id: 'two', input: { command: 'view', path: '/notes/todo.md' } },
    { id: 'three', input: { command: 'view', path: '/notes' } },
  ],
];
const answer = 'Done: it is in notes/todo.md.';

const created = 'File created successfully at: /notes/todo.md';
const shown = "Here's the content of /notes/todo.md with line numbers:\n     1\tbuy “oat” milk 🥛";
const listed = `Here're the files and directories up to 2 levels deep in /notes, excluding hidden items:\n${Buffer.byteLength(text)}\t/notes/todo.md`;

interface Vendor {
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
  readonly path: string;
  turn(calls: readonly Call[]): string;
  final(): string;
  /** The results that a request carries, by the id of their call. */
  resultsOf(body: unknown): unknown;
  toolNamesOf(body: unknown): readonly string[];
}

const vendors: readonly Vendor[] = [
  {
    model: 'anthropic',
    env: { ANTHROPIC_API_KEY: 'k' },
    path: '/v1/messages',
    turn: (calls) =>
      anthropicStream(calls.map(({ id, input }) => ({ type: 'tool_use', id, name: 'filesystem', input }))),
    final: () => anthropicStream([{ type: 'text', text: answer }]),
    resultsOf: (body) =>
      (body as { messages: { content: { type: string; tool_use_id: string; content: unknown }[] | string }[] }).messages
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .flatMap(({ type, tool_use_id, content }) => (type === 'tool_result' ? [[tool_use_id, textIn(content)]] : [])),
    toolNamesOf: (body) => (body as { tools: { name: string }[] }).tools.map(({ name }) => name),
  },
  {
    model: 'openai',
    env: { OPENAI_API_KEY: 'k' },
    path: '/responses',
    turn: (calls) => responsesStream(calls.map(functionCall)),
    final: () =>
      responsesStream([
        {
          type: 'message',
          id: 'msg',
          role: 'assistant',
          content: [{ type: 'output_text', text: answer }],
        },
      ]),
    resultsOf: (body) =>
      (body as { input: { type?: string; call_id: string; output: unknown }[] }).input.flatMap(
        ({ type, call_id, output }) => (type === 'function_call_output' ? [[call_id, textIn(output)]] : []),
      ),
    toolNamesOf: (body) => (body as { tools: { name: string }[] }).tools.map(({ name }) => name),
  },
];

function functionCall({ id, input }: Call) {
  return { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'filesystem', arguments: JSON.stringify(input) };
}

interface Item {
  readonly type: string;
  readonly arguments?: string;
  readonly content?: readonly { readonly type: string; readonly text: string }[];
  readonly [member: string]: unknown;
}

/** A response of OpenAI's Responses API as its body. Made by hand, after the documentation. */
function responsesStream(items: readonly Item[]): string {
  const data = [
    { type: 'response.created', response: { status: 'in_progress', output: [] } },
    ...items.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, content: [], arguments: '' } },
      ...pieces(item.arguments).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        output_index,
        delta,
      })),
      ...pieces(item.content?.[0]?.text).map((delta) => ({ type: 'response.output_text.delta', output_index, delta })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { status: 'completed', output: items } },
  ];
  return sse(data.map((each) => ({ event: each.type, data: each })));
}

function pieces(whole = ''): readonly string[] {
  return whole.match(/.{1,10}/gsu) ?? [];
}

/** The text of a result, which is a text or has parts with it. */
function textIn(content: unknown): string {
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : String(content);
}

function play({ turn, final }: Vendor): Handler {
  return (_, index) => ({ body: index < turns.length ? turn(turns[index] ?? []) : final() });
}

describe.each(vendors)('$model', (vendor) => {
  it('writes, reads and lists real files, and gets the results', async () => {
    await using server = await loopback(play(vendor));
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path, '--yes', '--base-url', server.url, 'Note that I need oat milk.'];
    const { code, all: output } = await demo(words, { env: vendor.env });
    expect(code).toBe(0);
    expect(await readFile(join(folder.path, 'notes/todo.md'), 'utf8')).toBe(text);
    expect(server.requests.map(({ path }) => path.split('?')[0])).toEqual([vendor.path, vendor.path, vendor.path]);
    const bodies = server.requests.map((request) => request.json());
    expect(bodies.map(vendor.resultsOf)).toEqual([
      [],
      [['one', created]],
      [
        ['one', created],
        ['two', shown],
        ['three', listed],
      ],
    ]);
    for (const body of bodies) expect(vendor.toolNamesOf(body)).toEqual([...toolNames].sort());
    expect(JSON.stringify(bodies[0])).toContain('Note that I need oat milk.');
    expect(output).toContain(`Utensil · ${vendor.model}:`);
    expect(output).toContain('📁 Create /notes/todo.md\n');
    expect(output).toContain(`\n${answer}\n`);
  });

  it('finds the server in the environment, and tells what it refuses', async () => {
    await using server = await loopback(() => ({
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'invalid key' } }),
    }));
    await using folder = await temporaryFolder();
    const env = { ...vendor.env, ANTHROPIC_BASE_URL: server.url, OPENAI_BASE_URL: server.url };
    const { code, all: output } = await demo(['--folder', folder.path, 'Hello'], { env });
    expect(code).toBe(1);
    expect(server.requests).toHaveLength(1);
    expect(output).toContain('Error: ');
    expect(output).toContain('invalid key');
  });

  it('does not run what it may not, and offers no tool that is off', async () => {
    await using server = await loopback(play(vendor));
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path, '--base-url', server.url];
    await demo(words, { input: '/disable memory\n' });
    const { code } = await demo([...words, 'Note that I need oat milk.'], { env: vendor.env });
    expect(code).toBe(3);
    const bodies = server.requests.map((request) => request.json());
    expect(bodies).toHaveLength(3);
    const others = toolNames.filter((name) => name !== 'memory');
    for (const body of bodies) expect(vendor.toolNamesOf(body)).toEqual(others.sort());
    expect(vendor.resultsOf(bodies[1])).toEqual([['one', expect.stringContaining('Permission is required')]]);
  });
});
