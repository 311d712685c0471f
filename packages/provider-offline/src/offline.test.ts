import {
  createFiles,
  createRegistry,
  defineTool,
  emptySettings,
  type Files,
  jsonSchema,
  type Message,
  resolveToolset,
  result as answered,
  run,
  type RunEvent,
  type RunOptions,
  type RunResult,
  type Tool,
  type ToolCall,
} from '@utensil/core';
import { withEnabled } from '@utensil/core/settings';
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
  it('goes on with its program behind a note of the run', async () => {
    const user = (id: string, text: string): Message => ({
      id,
      role: 'user',
      parts: [{ type: 'text', text }],
      createdAt: 0,
    });
    for (const id of ['note', 'note-1']) {
      const messages = [user('a', 'list notes'), user(id, 'Part of this conversation is missing here.')];
      const request = { system: '', messages, tools: [], toolChoice: 'auto' } as const;
      let told = '';
      for await (const part of offline().stream(request, { signal: new AbortController().signal }))
        if (part.type === 'text-delta') told += part.text;
      expect(told).toContain('Not done:\n\n- `list notes`');
    }
  });

  it('runs the program, and reports its results', async () => {
    const { result, files } = await play('write notes/todo.md: buy milk then list notes then read notes/todo.md');
    expect((await files.readText('/notes/todo.md')).text).toBe('buy milk\n');
    expect(result.status).toBe('complete');
    expect(result.text).toBe(
      [
        '✓ `write notes/todo.md: "buy milk\\n"`',
        '',
        '✓ `list notes`',
        '',
        '```output',
        "Here're the files and directories up to 2 levels deep in /notes, excluding hidden items:",
        '9\t/notes/todo.md',
        '```',
        '',
        '✓ `read notes/todo.md`',
        '',
        '```output',
        'buy milk',
        '```',
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
    expect(result.text).toContain('```output\nx\ny\n```');
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
    expect(result.text).toContain('```output\nAssam\n```');
  });

  it('stops behind a command that failed, and names what is not done', async () => {
    const { result, files } = await play('read no.md then list then write a.md: x then help');
    expect(result).toMatchObject({ status: 'complete', steps: 2 });
    expect(result.text).toContain('✗ `read no.md`\n\n```output\nThe path /no.md does not exist.');
    expect(result.text).toContain('✓ `list`\n');
    expect(result.text).toContain('I stopped because this failed: `read no.md`\n\nNot done:\n\n- `write a.md: "x\\n"`');
    expect(await files.stat('/a.md')).toBeUndefined();
  });

  it('stops behind a command that was denied', async () => {
    const { result } = await play('write a.md: x then list', { policy: () => ({ deny: 'it is Sunday' }) });
    expect(result.text).toContain('it is Sunday');
    expect(result.text).toContain('Not done:\n\n- `list`');
  });

  it('says which tool is off', async () => {
    const files = createFiles(memoryStorage());
    const toolset = resolveToolset(tools, withEnabled(emptySettings, memoryTool, false), { files });
    const { result } = await play('list then remember tea: Assam', { toolset });
    expect(result).toMatchObject({ steps: 1 });
    expect(result.text).toContain('the tool "memory" is off or missing here');
  });

  it('continues at the end of the messages, even of another run', async () => {
    const { result } = await play('write a.md: x then list');
    const begun: readonly Message[] = result.messages.slice(0, 3); // the program, its first call, and the result
    const { events } = await play(begun);
    expect(turnsOf(events)).toMatchObject([[{ callId: 'offline-2', input: { command: 'view', path: '/' } }], []]);
  });

  it('makes one call per turn if told to, and none if calls are not allowed', async () => {
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
    expect(result.text).toContain('I stopped because no more tools may be called.\n\nNot done:\n\n- `list`');
  });

  it('says that it is no language model, and shows examples that work', async () => {
    const { result } = await play('What is the weather in Paris?');
    expect(result.text).toContain('I am not a language model');
    const examples = result.text.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(3, -1)] : []));
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const { files, result: shown } = await play(`write notes/todo.md: milk then ${example}`);
      expect(shown.text).not.toContain('✗');
      expect(await files.stat('/notes/todo.md')).toBeDefined();
    }
  });

  it('lists its commands', async () => {
    const { result } = await play('help');
    expect(result.text).toContain('- `replace <old> with <new> in <path>`\n');
  });

  it.each(['Hello! What can you do?', 'hi', 'help me', '👋', ''])(
    'greets who writes %j, and claims no more than it can',
    async (text) => {
      const { result } = await play(text, { model: offline({ examples: [] }) });
      expect(result.text).toBe(
        'Hello! I am not a language model: I understand a few commands, and turn them into real tool calls.\n\nType `help` for all commands.',
      );
    },
  );

  it.each(['asdf qwer', 'What is the weather in Paris?', 'hiking in Wales'])(
    'greeted who wrote %j, instead of saying that it was not understood',
    async (text) => {
      const { result } = await play(text, { model: offline({ examples: [] }) });
      expect(result.text).toMatch(/^I did not understand that\. I am not a language model/);
    },
  );

  it.each(['list files', 'List all files', 'list my files'])(
    'looked for a folder of that name when it was told to %s',
    async (text) => {
      const { result } = await play(`write notes/a.md: x then ${text}`);
      expect(result.text).not.toContain('✗');
      expect(result.text).toContain('/notes/a.md\n');
    },
  );

  it('lists a folder that is named files by its path', async () => {
    const { result } = await play('write files/a.md: x then list /files');
    expect(result.text).toContain('levels deep in /files,');
  });

  it('shows what a result has beyond its text', async () => {
    const link = { type: 'resource-link', uri: 'file:///a.wav', name: 'a.wav' } as const;
    const audio = { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==' } as const;
    const execute = () => answered({ output: '', parts: [{ type: 'text', text: 'Recorded.' }, audio, link] });
    const recorder = createRegistry([{ ...filesystemTool, execute }]);
    const toolset = resolveToolset(recorder, emptySettings, { files: createFiles(memoryStorage()) });
    const { text } = await run({ model: offline(), toolset, messages: 'read a.wav' }).result;
    expect(text).toContain(
      'Recorded.\n[Audio (audio/wav, 4 bytes), not shown to this model]\n[Resource link "a.wav" at file:///a.wav, not loaded]',
    );
  });

  it('told a person who declined what is meant for a model', async () => {
    const toolset = resolveToolset(tools, emptySettings, { files: createFiles(memoryStorage()) });
    const running = run({ model: offline(), toolset, messages: 'write a.md: x', policy: () => 'ask' });
    for await (const event of running.events())
      if (event.type === 'approval-request') running.answer(event.questionId, 'deny');
    const { text } = await running.result;
    expect(text).toMatch(/^✗ `write a\.md[^`]*`\n\nYou declined this\.(?:\n|$)/);
    expect(text).not.toContain('denied');
  });

  it('says what is wrong with a command, and takes nothing in it for Markdown', async () => {
    const { result } = await play('read a.md then *list*', { model: offline({ examples: [] }) });
    expect(result.status).toBe('complete');
    const { result: wrong } = await play('write *a*', { model: offline({ examples: [] }) });
    expect(wrong.text).toBe(
      '":" is missing after \\<path\\> of "write \\<path\\>: \\<text\\>".\n\nType `help` for all commands.',
    );
  });

  it('counts the tables of a directory, each with a read of its own', async () => {
    const { events, result } = await play(
      'write data/a.csv: "month,orders,note\nMay,3,fine\nJune,6997.5,\n" then write data/b.csv: "n\n0.1\n0.2\n" then write data/c.md: 1,2 then summarise data then list',
    );
    expect(turnsOf(events).map((calls) => calls.map(({ input }) => input['path']))).toEqual([
      ['/data/a.csv'],
      ['/data/b.csv'],
      ['/data/c.md'],
      ['/data'],
      ['/data/a.csv', '/data/b.csv', '/'],
      [],
    ]);
    expect(result.text).toContain(
      [
        '✓ `summarise data`',
        '',
        '- `/data/a.csv`: 2 rows; `orders` 7,000.5 in total, from 3 to 6,997.5',
        '- `/data/b.csv`: 2 rows; `n` 0.3 in total, from 0.1 to 0.2',
        '',
        'I only counted and added: a language model could tell you what it means.',
      ].join('\n'),
    );
  });

  it('does not add up what it was not shown', async () => {
    const rows = Array.from({ length: 3000 }, () => '1234567').join('\n');
    const { result } = await play(`write a.csv: n\n${rows} then summarise a.csv`);
    expect(result.text).toMatch(/the first \d+ rows, because the rest was not shown to me; `n` [\d,]+ in total/);
    expect(result.text).not.toContain('3000 rows');
  });

  it('says that there are no tables, and which directory is missing', async () => {
    expect((await play('write a.md: x then summarize /')).result.text).toContain('There is no .csv file.');
    const { result } = await play('summarise /data');
    expect(result.text).toContain('✗ `summarise /data`');
    expect(result.text).not.toContain('✓');
  });

  it('runs a program, and says what the tool returned', async () => {
    const javascript = (isError: boolean): Tool =>
      defineTool({
        name: 'javascript',
        description: 'Runs code.',
        input: jsonSchema({ type: 'object' }),
        effects: 'read',
        execute: (input) => answered({ output: `ran ${(input as { code: string }).code}`, isError }),
      });
    for (const isError of [false, true]) {
      const toolset = resolveToolset(createRegistry([javascript(isError)]), emptySettings, {});
      const { result } = await play('run return 1\n  + 1', { toolset });
      expect(result.text).toContain(
        `${isError ? '✗' : '✓'} \`run "return 1\\n  + 1"\`\n\n\`\`\`output\nran return 1\n  + 1\n\`\`\``,
      );
    }
  });

  it('ends at once when it is aborted', async () => {
    const signal = AbortSignal.abort();
    const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
    await expect(all(offline().stream(request, { signal }))).rejects.toMatchObject({ code: 'aborted' });
  });

  it('answers any text', async () => {
    const word = fc.constantFrom(
      'read',
      'list',
      'then',
      'write',
      'summarise',
      'run',
      ':',
      '"',
      'to',
      'a.md',
      '..',
      '🙂',
    );
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
