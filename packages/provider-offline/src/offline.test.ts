import {
  createFiles,
  createRegistry,
  emptySettings,
  type Files,
  type Message,
  resolveToolset,
  run,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type ToolCall,
  withEnabled,
} from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { filesystemTool } from '@utensil/tool-filesystem';
import { memoryTool } from '@utensil/tool-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offline } from './offline.ts';

const tools = createRegistry([filesystemTool, memoryTool]);

interface Played {
  readonly events: readonly RunEvent[];
  readonly result: RunResult;
  readonly files: Files;
}

async function play(program: RunOptions['messages'], options: Partial<RunOptions> = {}): Promise<Played> {
  const files = createFiles(memoryStorage());
  const toolset = resolveToolset(tools, emptySettings, { files });
  const running = run({ model: offline(), toolset, messages: program, ...options });
  const events = await all(running.events());
  return { events, result: await running.result, files };
}

describe('offline', () => {
  it('does what the program says, and tells what came of it', async () => {
    const { result, files } = await play('write notes/todo.md: buy milk then list notes then read notes/todo.md');
    expect((await files.readText('/notes/todo.md')).text).toBe('buy milk\n');
    expect(result.status).toBe('complete');
    expect(result.text).toBe(
      [
        '✓ write notes/todo.md: "buy milk\\n"',
        'File created successfully at: /notes/todo.md',
        '',
        '✓ list notes',
        "Here're the files and directories up to 2 levels deep in /notes, excluding hidden items:",
        '9\t/notes/todo.md',
        '',
        '✓ read notes/todo.md',
        "Here's the content of /notes/todo.md with line numbers:",
        '     1\tbuy milk',
      ].join('\n'),
    );
  });

  it('streams calls in fragments, reads that follow one another in one turn, changes one by one', async () => {
    const { events, result } = await play('write a.md: x then append a.md: y then read a.md then list then recall');
    const turns = turnsOf(events);
    expect(turns.map((calls) => calls.map(({ input }) => input['command']))).toEqual([
      ['create'],
      ['append'],
      ['view', 'view', 'view'],
      [],
    ]);
    for (const { callId, input } of turns.flat()) {
      const deltas = events.flatMap((event) =>
        event.type === 'tool-input-delta' && event.callId === callId ? [event.delta] : [],
      );
      expect(deltas.length).toBeGreaterThan(1);
      expect(JSON.parse(deltas.join(''))).toEqual(input);
    }
    expect(result.text).toContain('     1\tx\n     2\ty');
  });

  it.each([
    ['replace x with y in a.md', '/a.md', 'y\n'],
    ['move a.md to b/c.md', '/b/c.md', 'x\n'],
    ['remember shopping: milk', '/memories/shopping.md', 'milk\n'],
    ['remember memories/list.txt: milk', '/memories/list.txt', 'milk\n'],
  ])('does %j', async (command, path, text) => {
    const { files } = await play(`write a.md: x then ${command}`);
    expect((await files.readText(path)).text).toBe(text);
  });

  it('deletes, and recalls by name', async () => {
    const { files, result } = await play('write a.md: x then delete a.md then remember tea: Assam then recall tea');
    expect(await files.stat('/a.md')).toBeUndefined();
    expect(result.text).toContain('     1\tAssam');
  });

  it('stops behind a command that failed, and names what is not done', async () => {
    const { result, files } = await play('read no.md then list then write a.md: x then help');
    expect(result).toMatchObject({ status: 'complete', steps: 2 });
    expect(result.text).toContain('✗ read no.md\nThe path /no.md does not exist.');
    expect(result.text).toContain('✓ list\n');
    expect(result.text).toContain('I stopped because this failed: read no.md\n\nNot done:\n  write a.md: "x\\n"');
    expect(await files.stat('/a.md')).toBeUndefined();
  });

  it('stops behind a command that was denied', async () => {
    const { result } = await play('write a.md: x then list', { policy: () => ({ deny: 'it is Sunday' }) });
    expect(result.text).toContain('it is Sunday');
    expect(result.text).toContain('Not done:\n  list');
  });

  it('says which tool is off', async () => {
    const files = createFiles(memoryStorage());
    const toolset = resolveToolset(tools, withEnabled(emptySettings, memoryTool, false), { files });
    const { result } = await play('list then remember tea: Assam', { toolset });
    expect(result).toMatchObject({ steps: 1 });
    expect(result.text).toContain('the tool "memory" is off or missing here');
  });

  it('goes on where the messages end, whoever began', async () => {
    const { result } = await play('write a.md: x then list');
    const begun: readonly Message[] = result.messages.slice(0, 3); // the program, its first call, and the result
    const { events } = await play(begun);
    expect(turnsOf(events)).toMatchObject([[{ callId: 'offline-2', input: { command: 'view', path: '/' } }], []]);
  });

  it('makes one call a turn where it is told so, and none where it may not', async () => {
    const files = createFiles(memoryStorage());
    const request = {
      system: '',
      messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'list then recall' }], createdAt: 0 }],
      tools: resolveToolset(tools, emptySettings, { files }).definitions({ api: 'offline' }),
      toolChoice: 'auto',
    } as const;
    const { signal } = new AbortController();
    const single = await all(offline().stream({ ...request, parallel: false }, { signal }));
    expect(single.filter(({ type }) => type === 'tool-call')).toHaveLength(1);
    const none = await all(offline().stream({ ...request, toolChoice: 'none' }, { signal }));
    expect(none.filter(({ type }) => type === 'tool-call')).toHaveLength(0);
  });

  it('tells at a limit what is left', async () => {
    const { result } = await play('write a.md: x then write b.md: y then list', { limits: { steps: 2 } });
    expect(result).toMatchObject({ status: 'limit', limit: 'steps' });
    expect(result.text).toContain('I stopped because no more tools may be called.\n\nNot done:\n  list');
  });

  it('says that it is no language model, and shows examples that work', async () => {
    const { result } = await play('What is the weather in Paris?');
    expect(result.text).toContain('I am no language model');
    const examples = result.text.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []));
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const { files, result: shown } = await play(`write notes/todo.md: milk then ${example}`);
      expect(shown.text).not.toContain('✗');
      expect(await files.stat('/notes/todo.md')).toBeDefined();
    }
  });

  it('lists its commands', async () => {
    const { result } = await play('help');
    expect(result.text).toContain('  replace <old> with <new> in <path>\n');
  });

  it('ends at once when it is aborted', async () => {
    const signal = AbortSignal.abort();
    const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
    await expect(all(offline().stream(request, { signal }))).rejects.toMatchObject({ code: 'aborted' });
  });

  it('answers any text', async () => {
    const word = fc.constantFrom('read', 'list', 'then', 'write', ':', '"', 'to', 'a.md', '..', '🙂');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word).map((words) => words.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (program) => {
        const { result } = await play(program);
        expect(result.status).toBe('complete');
        expect(result.text).not.toBe('');
      }),
    );
  });
});

/** The calls of each turn. */
function turnsOf(events: readonly RunEvent[]): readonly (readonly ToolCall[])[] {
  const turns: ToolCall[][] = [];
  for (const event of events) {
    if (event.type === 'step-start') turns.push([]);
    if (event.type === 'tool-call') turns.at(-1)?.push(event);
  }
  return turns;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
