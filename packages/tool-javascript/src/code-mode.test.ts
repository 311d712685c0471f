import {
  createFiles,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  permissions,
  resolveToolset,
  result,
  run,
} from '@utensil/core';
import type { Json, ModelRequest, Run, RunEvent, RunOptions, Sandbox, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { javascriptTool } from './javascript.ts';

const worker = new URL(inject('sandboxWorker'));

const sandbox = quickjsSandbox({ worker, maxWorkers: 1 });
afterAll(() => sandbox.close());

/** The machine may have others to run. */

const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: `Does ${name}.`,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

const add = tool('add', {
  description: 'Adds two numbers.',
  input: jsonSchema({
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  }),
  execute: (input) => {
    const { a, b } = input as { readonly a: number; readonly b: number };
    return { sum: a + b };
  },
});

const toolsetOf = (tools: readonly Tool[], callTools = true, host: Sandbox = sandbox) =>
  resolveToolset(
    createRegistry([javascriptTool, ...tools]),
    { ...emptySettings, tools: { javascript: { enabled: true, options: { callTools } } } },
    { files: createFiles(memoryStorage()), sandbox: host },
  );

const script = (code: string): ScriptedTurn => ({ calls: [{ name: 'javascript', input: { code } }] });

function begin(code: string, tools: readonly Tool[], more: Partial<RunOptions> = {}) {
  const model = scriptedModel([script(code), { text: 'Done.' }]);
  return { model, ...run({ model, toolset: toolsetOf(tools), messages: 'Go.', ...more }) };
}

/** The output of a script, and whether it failed. */
async function outputOf({ result: ended }: Pick<Run, 'result'>): Promise<readonly [output: Json, isError: boolean]> {
  const parts = (await ended).messages.flatMap((message) => message.parts);
  const found = parts.find((part) => part.type === 'tool-result');
  return [found?.output ?? null, found?.isError ?? false];
}

const answer = async (code: string, tools: readonly Tool[] = [add]) => outputOf(begin(code, tools));

/** Code and message of the error that a script's tool call throws. */
const thrown = (call: string) =>
  `try { await ${call}; return 'no error' } catch (error) { return [error instanceof Error, error.code, error.message] }`;

async function eventsOf({ events }: Pick<Run, 'events'>): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events()) seen.push(event);
  return seen;
}

describe('code mode', () => {
  it('calls twenty tools in one turn of the model, which sees what the script returns', async () => {
    const code = `
      const sums = await Promise.all(Array.from({ length: 20 }, (_, a) => tools.add({ a, b: 1 })));
      return sums.reduce((total, { sum }) => total + sum, 0);`;
    const played = begin(code, [add]);
    expect(await outputOf(played)).toEqual(['210', false]);
    expect(played.model.requests).toHaveLength(2); // one for the script, one for the answer
    const ends = (await eventsOf(played)).filter((event) => event.type === 'tool-end');
    expect(ends.filter(({ name, parentCallId }) => name === 'add' && parentCallId === 'call-1')).toHaveLength(20);
    expect(JSON.stringify(played.model.requests[1]?.messages)).not.toContain('"sum":');
  });

  it('is off until the user turns it on', async () => {
    const model = scriptedModel([script('return typeof tools'), {}]);
    const played = run({ model, toolset: toolsetOf([add], false), messages: 'Go.' });
    expect(await outputOf(played)).toEqual(['undefined', false]);
    expect(model.requests[0]?.system).not.toContain('declare const tools');
  });

  it('declares the other tools in the prompt, but those that are deferred, which can be called all the same', async () => {
    const played = begin(`return (await tools['x-y']()) + (await tools.far({}))`, [
      add,
      tool('x-y'),
      tool('far', { defer: true }),
    ]);
    expect(await outputOf(played)).toEqual(['x-yfar', false]);
    const system = played.model.requests[0]?.system ?? '';
    expect(system).toContain('/** Adds two numbers. */ add(input: { a: number; b: number }): Promise<unknown>;');
    expect(system).toContain('"x-y"(input?: ');
    expect(system).not.toMatch(/far\(|javascript\(/);
  });

  it('says nothing in the prompt if there is nothing to call', async () => {
    const played = begin('return Object.keys(globalThis.tools ?? {}).length', []);
    expect(await outputOf(played)).toEqual(['0', false]);
    expect(played.model.requests[0]?.system).not.toContain('declare const');
  });

  it('throws what a failed call says, with its code, where the script called it', async () => {
    const fails = tool('fails', {
      execute: () => {
        throw new Error('It broke.');
      },
    });
    const said = tool('said', { execute: () => result({ output: 'No such city.', isError: true }) });
    const tools = [add, fails, said];
    const [output] = await answer(
      `const errors = [];
      for (const call of [() => tools.fails(), () => tools.said({}), () => tools.add({ a: 'x' }), () => tools.add([1])])
        try { await call() } catch (error) { errors.push([error.code, error.message.split('\\n')[0]]) }
      return errors;`,
      tools,
    );
    expect(JSON.parse(String(output))).toEqual([
      ['tool_failed', 'Tool execution failed: It broke.'],
      ['tool_failed', 'No such city.'],
      ['invalid_input', 'Invalid input for tool "add":'],
      ['invalid_input', 'The input of tool "add" must be an object.'],
    ]);
    const [uncaught, isError] = await answer('\nawait tools.fails()', tools);
    expect(uncaught).toMatch(/^Error: Tool execution failed: It broke\.\n[^]*script\.js:2:/);
    expect(isError).toBe(true);
  });

  it('asks the user about a call inside as about any, and a denial is an error in the script', async () => {
    const saved: Json[] = [];
    const save = tool('save', { effects: 'write', execute: (input) => void saved.push(input as Json) });
    const played = begin(`await tools.save({ n: 1 }); ${thrown('tools.save({ n: 2 })')}`, [save], {
      policy: permissions('write'),
    });
    const asked: unknown[] = [];
    for await (const event of played.events()) {
      if (event.type !== 'approval-request') continue;
      asked.push([event.name, event.parentCallId]);
      played.answer(event.questionId, asked.length === 3 ? 'deny' : 'once');
    }
    const inner = ['save', 'call-1'];
    expect(asked).toEqual([['javascript', undefined], inner, inner]);
    expect(saved).toEqual([{ n: 1 }]);
    const [output] = await outputOf(played);
    expect(JSON.parse(String(output))).toEqual([true, 'tool_denied', expect.stringContaining('denied permission')]);
  });

  it('has the user answer tools that the client answers, in the middle of the script', async () => {
    const { execute: _, ...choose } = tool('choose');
    const code = `
      const { colour } = await tools.choose({ among: ['red', 'blue'] });
      return [colour, await tools.choose({}).catch(({ code }) => code)]`;
    const played = begin(code, [choose], { interactive: true });
    const asked: unknown[] = [];
    for await (const event of played.events()) {
      if (event.type !== 'input-request') continue;
      asked.push([event.name, event.input, event.parentCallId]);
      played.answer(event.questionId, asked.length === 1 ? { output: { colour: 'blue' } } : 'deny');
    }
    expect(asked).toEqual([
      ['choose', { among: ['red', 'blue'] }, 'call-1'],
      ['choose', {}, 'call-1'],
    ]);
    const [output] = await outputOf(played);
    expect(JSON.parse(String(output))).toEqual(['blue', 'tool_denied']);
  });

  it('takes back what it asks about calls of a script that is over', async () => {
    const saved: Json[] = [];
    const save = tool('save', { effects: 'write', execute: (input) => void saved.push(input as Json) });
    let tell: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (tell = resolve));
    const wait = tool('wait', { execute: () => isAsked });
    const code = `tools.save({ n: 1 }); await tools.wait(); halt('enough')`;
    const played = begin(code, [save, wait], {
      interactive: true,
      policy: ({ name }) => (name === 'save' ? 'ask' : 'allow'),
    });
    let asked = '';
    for await (const event of played.events())
      if (event.type === 'approval-request') {
        asked = event.questionId; // no answer is given
        tell();
      }
    expect(asked).not.toBe('');
    expect(() => played.answer(asked, 'once')).toThrow('is not open');
    expect(saved).toEqual([]);
    expect((await played.result).status).toBe('complete');
  });

  it('denies calls that nobody can answer, at once', async () => {
    const { execute: _, ...choose } = tool('choose');
    const save = tool('save', { effects: 'write' });
    const policy: RunOptions['policy'] = ({ name }) => (name === 'save' ? 'ask' : 'allow');
    const code = `
      const codes = [];
      for (const name of ['choose', 'save']) await tools[name]({}).catch(({ code }) => codes.push(code));
      return codes`;
    const played = begin(code, [choose, save], { interactive: false, policy });
    expect(JSON.parse(String((await outputOf(played))[0]))).toEqual(['tool_denied', 'tool_denied']);
  });

  it('ends with the run: an abort ends the script and the calls that it waits for', async () => {
    const signals: AbortSignal[] = [];
    const controller = new AbortController();
    const hang = tool('hang', {
      execute: (_input, _options, { signal }) => {
        signals.push(signal);
        if (signals.length === 16) controller.abort();
        return new Promise(() => undefined);
      },
    });
    const code = `await Promise.all(Array.from({ length: 40 }, () => tools.hang()))`;
    const played = begin(code, [hang], { signal: controller.signal });
    expect((await played.result).status).toBe('aborted');
    expect(signals).toHaveLength(16);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(await answer('return 1')).toEqual(['1', false]);
  });

  it('lets a call end the run, as it would by itself', async () => {
    const end = tool('end', { execute: () => result({ output: 'Over.', control: { end: { value: 7 } } }) });
    expect(await begin('return await tools.end()', [end]).result).toMatchObject({ status: 'complete', value: 7 });
  });
});

describe('programs of the vendor', () => {
  const definitionFor = (api: string, options: { readonly callTools?: boolean; readonly vendorPrograms?: boolean }) =>
    resolveToolset(
      createRegistry([javascriptTool, add]),
      { ...emptySettings, tools: { javascript: { options } } },
      { files: createFiles(memoryStorage()), sandbox },
    )
      .definitions({ api, supports: {} })
      .find(({ name }) => name === 'javascript');
  const both = { callTools: true, vendorPrograms: true };

  it('take the place of the sandbox if the user chooses so and the vendor has them', () => {
    expect(definitionFor('openai-responses', both)).toEqual({
      type: 'native',
      name: 'javascript',
      definition: { type: 'programmatic_tool_calling' },
    });
    expect(definitionFor('anthropic-messages', both)).toMatchObject({ definition: { name: 'code_execution' } });
    expect(definitionFor('ollama-chat', both)).toMatchObject({ type: 'function' });
    for (const options of [{}, { callTools: true }, { vendorPrograms: true }])
      expect(definitionFor('openai-responses', options)).toMatchObject({ type: 'function' });
  });

  it('need no declarations in the prompt, and call tools as the model does', async () => {
    const native = scriptedModel([{ calls: [{ name: 'add', input: { a: 1, b: 2 } }] }, { text: 'Done.' }]);
    const model = { ...native, info: { ...native.info, api: 'openai-responses' } };
    const toolset = resolveToolset(
      createRegistry([javascriptTool, add]),
      { ...emptySettings, tools: { javascript: { options: both } } },
      { files: createFiles(memoryStorage()), sandbox },
    );
    expect(await outputOf(run({ model, toolset, messages: 'Go.' }))).toEqual([{ sum: 3 }, false]);
    expect(native.requests[0]?.system).not.toContain('declare const tools');
  });
});

describe('scripts inside', () => {
  it('are run by tools that a script calls, such as agents, though the sandbox has one worker', async () => {
    const agent = tool('agent', {
      async execute(_input, _options, { run: begin }) {
        const code = `return (await Promise.all([1, 2].map((a) => tools.add({ a, b: 10 })))).map(({ sum }) => sum).join()`;
        const model = scriptedModel([script(code), { text: 'Done.' }]);
        const inside = await begin({ model, messages: 'Go.' });
        return (await outputOf(inside))[0];
      },
    });
    const code = 'return (await Promise.all([tools.agent(), tools.agent()])).join(" ")';
    expect(await answer(code, [add, agent])).toEqual(['11,12 11,12', false]);
  });
});

describe('its limits', () => {
  it('has sixteen calls under way at a time', async () => {
    let running = 0;
    let most = 0;
    const wait = tool('wait', {
      async execute() {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      },
    });
    const code = 'return (await Promise.all(Array.from({ length: 50 }, () => tools.wait()))).length';
    expect(await answer(code, [wait])).toEqual(['50', false]);
    expect(most).toBeLessThanOrEqual(16);
    expect(most).toBeGreaterThan(1);
  });

  it('makes two hundred calls and no more', async () => {
    let made = 0;
    const count = tool('count', { execute: () => ++made });
    const code = `for (let i = 0; i < 200; i++) await tools.count(); ${thrown('tools.count()')}`;
    const [output] = await answer(code, [count]);
    expect(JSON.parse(String(output))[2]).toBe('A script can make 200 tool calls: continue in another script.');
    expect(made).toBe(200);
  });

  it('gets no output of more than a million characters', async () => {
    const huge = tool('huge', {
      execute: (input) => 'x'.repeat((input as { readonly length: number }).length - 2),
    });
    expect(await answer('return (await tools.huge({ length: 1000000 })).length', [huge])).toEqual(['999998', false]);
    const [output] = await answer(thrown('tools.huge({ length: 1000001 })'), [huge]);
    expect(JSON.parse(String(output))).toEqual([
      true,
      'EFBIG',
      'The output of tool "huge" has 1000001 characters; a script can receive 1000000: request less at a time.',
    ]);
  });
});

describe('hostile scripts and tools', () => {
  it('find no way back into javascript', async () => {
    expect(await answer(`return [typeof tools.javascript, Object.keys(tools).join()]`)).toEqual([
      JSON.stringify(['undefined', 'add'], null, 2),
      false,
    ]);
    const [output, isError] = await answer(`return tools.javascript({ code: 'return 1' })`);
    expect(output).toMatch(/^TypeError: /);
    expect(isError).toBe(true);
  });

  it('wait for no thenable that a tool gives, and take names of the language as names', async () => {
    const thenable = tool('thenable', { execute: () => JSON.parse('{ "then": "never" }') });
    const names = ['then', 'constructor', '__proto__', 'toString'].map((name) => tool(name));
    const [output] = await answer(
      `const given = await tools.thenable();
      return [given.then, await tools.then(), await tools.constructor(), await tools.__proto__(), await tools.toString()]`,
      [thenable, ...names],
    );
    expect(JSON.parse(String(output))).toEqual(['never', 'then', 'constructor', '__proto__', 'toString']);
  });

  it('change nothing of what another script finds', async () => {
    expect(await answer('tools.add = () => 5; delete globalThis.tools; return typeof tools')).toEqual([
      'undefined',
      false,
    ]);
    expect(await answer('return (await tools.add({ a: 1, b: 1 })).sum')).toEqual(['2', false]);
  });

  it('begin no calls after their end, and those that had begun end before the run goes on', async () => {
    const log: string[] = [];
    let open: () => void = () => undefined;
    const isOver = new Promise<void>((resolve) => (open = resolve));
    const step = tool('step', {
      async execute() {
        const before = log.push('begun') - 1;
        if (before > 0) await isOver;
        await new Promise((resolve) => setTimeout(resolve, before)); // one after another
        log.push('ended');
      },
    });
    const watched: Sandbox = {
      async run(given) {
        const outcome = await sandbox.run(given);
        log.push('over');
        setTimeout(open, 50); // the run would continue in the meantime
        return outcome;
      },
    };
    const code = 'await Promise.race(Array.from({ length: 40 }, () => tools.step())); halt("enough");';
    const answered: ScriptedTurn = { text: 'Done.' };
    const model = scriptedModel([script(code), () => (log.push('model'), answered)]);
    const [output, isError] = await outputOf(
      run({ model, toolset: toolsetOf([step], true, watched), messages: 'Go.' }),
    );
    expect(output).toContain('Halted');
    expect(isError).toBe(true);
    expect(log.filter((entry) => entry === 'begun')).toHaveLength(17); // sixteen, and one that replaced the first
    expect(log.slice(log.indexOf('over'))).toEqual(['over', ...Array.from({ length: 16 }, () => 'ended'), 'model']);
  });

  it('may forget to wait: the script is over when its calls are', async () => {
    let made = 0;
    const count = tool('count', { execute: () => void made++ });
    expect(await answer('for (let i = 0; i < 30; i++) tools.count(); return "left"', [count])).toEqual(['left', false]);
    expect(made).toBe(30);
  });
});

/** A record as a server might return it. */
const stock = tool('stock', {
  description: 'The stock of a product in each warehouse.',
  input: jsonSchema({
    type: 'object',
    properties: { product: { type: 'integer', description: 'Its number.' } },
    required: ['product'],
  }),
  execute: (input) => {
    const { product } = input as { readonly product: number };
    const warehouses = ['Rome', 'Oslo', 'Lima', 'Perth'].map((city, index) => ({
      city,
      pieces: product + index,
      shelf: `${city[0]}-${product}-${index}`,
    }));
    return { product, name: `Product ${product}`, warehouses };
  },
});

/** Estimated tokens of the requests, at four characters each. */
function tokensOf(requests: readonly ModelRequest[]): number {
  const texts = requests.map(({ system, tools, messages }) => {
    const parts = messages.flatMap((message) =>
      message.parts.map((part) => {
        if (part.type === 'tool-call') return { id: part.callId, name: part.name, input: part.input };
        return part.type === 'tool-result' ? { id: part.callId, content: part.modelParts } : part;
      }),
    );
    return system + JSON.stringify(tools) + JSON.stringify(parts);
  });
  return Math.round(texts.join('').length / 4);
}

async function tokensFor(turns: readonly ScriptedTurn[], callTools: boolean): Promise<number> {
  const model = scriptedModel([...turns, { text: 'That is the total.' }]);
  const ended = await run({ model, toolset: toolsetOf([stock], callTools), messages: 'What is in stock?' }).result;
  expect(ended.status).toBe('complete');
  return tokensOf(model.requests);
}

const total = (count: number): string => `const records = await Promise.all(
  Array.from({ length: ${count} }, (_, index) => tools.stock({ product: index + 1 })),
);
return records.flatMap(({ warehouses }) => warehouses).reduce((sum, { pieces }) => sum + pieces, 0);`;

describe('what it saves', () => {
  it('is as the README says', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const rows: string[] = [];
    for (const count of [1, 3, 5, 20]) {
      const calls = Array.from({ length: count }, (_, index) => ({ name: 'stock', input: { product: index + 1 } }));
      const turns = await tokensFor(
        calls.map((call) => ({ calls: [call] })),
        false,
      );
      const atOnce = await tokensFor([{ calls }], false);
      const code = await tokensFor([script(total(count))], true);
      const cells = [turns, atOnce, code].map((tokens) => (Math.round(tokens / 100) * 100).toLocaleString('en'));
      rows.push([count, ...cells, (turns / code).toFixed(1), (atOnce / code).toFixed(1)].join(' | '));
    }
    const table = readme.split('\n').flatMap((line) => /^\| +(\d.*?) +\|$/.exec(line)?.[1] ?? []);
    expect(table.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(rows);
  });
});
