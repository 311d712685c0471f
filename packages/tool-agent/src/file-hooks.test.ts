import {
  createFiles,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  permissions,
  resolveToolset,
  run,
  textOf,
  withMiddleware,
} from '@utensil/core';
import type { Message, RunOptions } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, it } from 'vitest';
import { fileHooks } from './file-hooks.ts';
import type { FileHooksOptions } from './file-hooks.ts';

const sandbox = quickjsSandbox();
afterAll(() => sandbox.close());

const ways: Readonly<Record<string, FileHooksOptions['run']>> = {
  'in a sandbox': async (code, event, signal) => {
    let returned: unknown = null;
    const { status, text } = await sandbox.run({
      code: `const event = await hook.event();\nawait hook.answer(await (async () => {\n${code}\n})());`,
      hostFunctions: { 'hook.event': () => event, 'hook.answer': (value) => void (returned = value ?? null) },
      signal,
    });
    if (status !== 'done') throw new Error(text);
    return returned;
  },
  'as a function': async (code, event) =>
    // oxlint-disable-next-line no-implied-eval -- a stand-in for a sandbox, with code of this test
    (new Function('event', `return (async () => {\n${code}\n})()`) as (given: unknown) => unknown)(event),
};

const save = defineTool({
  name: 'save',
  description: 'Saves.',
  input: jsonSchema({ type: 'object' }),
  effects: 'write',
  execute: (input) => ({ saved: input }),
});

const outputsOf = (messages: readonly Message[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])));

describe.each(Object.entries(ways))('a hook in a file, run %s', (_, runHook) => {
  /** A run of a script behind these hooks. */
  async function play(
    hooks: Readonly<Record<string, string>>,
    script: readonly ScriptedTurn[],
    more: Partial<RunOptions> = {},
  ) {
    const files = createFiles(memoryStorage());
    for (const [name, code] of Object.entries(hooks)) if (code !== '') await files.write(`/hooks/${name}.js`, code);
    const model = scriptedModel(script);
    const behind = withMiddleware(model, ...fileHooks({ names: Object.keys(hooks), files, run: runHook }));
    const toolset = resolveToolset(createRegistry([save]), emptySettings, {});
    const played = run({ model: behind, toolset, messages: 'Save it.', instructions: 'Be kind.', ...more });
    return { ...(await played.result), model };
  }

  it.each(['return;', 'return null', '// nothing'])('[S0-65] lets a turn pass: %s', async (code) => {
    const { status, text, model } = await play({ pass: code }, [{ text: 'Hello!' }]);
    expect([status, text, model.requests.length]).toEqual(['complete', 'Hello!', 1]);
  });

  it('[S0-65] stops for the user, in silence or with a word', async () => {
    for (const [code, said] of [
      ['return { stop: true }', ''],
      ['return { stop: "Not on Sundays." }', 'Not on Sundays.'],
    ] as const) {
      const { status, text, model, messages } = await play({ stop: code }, []);
      expect([status, text, model.requests.length]).toEqual(['complete', said, 0]);
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    }
  });

  it('[S0-65] [A0-11] answers with calls, which are run as any, and with text', async () => {
    const code = `
      if (event.messages.length > 1) return;
      const [{ text }] = event.messages[0].parts;
      return { text: 'I do.', calls: [{ name: 'save', input: { text, system: event.system } }, { name: 'gone' }] };
    `;
    const { status, text, messages, model } = await play({ answer: code }, [{ text: 'Saved.' }]);
    expect([status, text]).toEqual(['complete', 'Saved.']);
    expect(outputsOf(messages)).toEqual([{ saved: { text: 'Save it.', system: 'Be kind.' } }, 'Unknown tool: gone']);
    expect(textOf(model.requests[0]?.messages[1]?.parts ?? [])).toBe('I do.');
    const denied = await play({ answer: code }, [{ text: 'No.' }], {
      policy: permissions('write'),
      interactive: false,
    });
    expect(outputsOf(denied.messages)[0]).toContain('The call was denied by policy');
    expect((await play({ answer: 'return { text: "Only me." }' }, [])).text).toBe('Only me.');
  });

  it('[S0-65] knows the model and the tools, and is asked before each turn', async () => {
    const code = `return event.messages.length > 2 ? { text: [event.api, event.model, ...event.tools].join() } : null`;
    const { text, model } = await play({ look: code }, [{ calls: [{ name: 'save' }] }]);
    expect([text, model.requests.length]).toEqual(['text,scripted,save', 1]);
  });

  it('[S0-65] is asked in the order of the names, until one answers', async () => {
    const hooks = { a: 'return', b: 'return { text: "b" }', c: 'throw new Error("never")' };
    expect((await play(hooks, [])).text).toBe('b');
  });

  it.each([
    ['throw new Error("no good")', 'no good'],
    ['throw "a text"', 'a text'],
    ['not JavaScript', ''],
    ['return 5', 'It must return nothing, { stop }, or { text, calls: [{ name, input }] }.'],
    ['return { answer: "x" }', 'It must return nothing'],
    ['return { calls: [{ input: {} }] }', 'It must return nothing'],
    ['return { calls: [{ name: "save", input: [1] }] }', 'It must return nothing'],
    ['return { text: 5 }', 'It must return nothing'],
    ['', ''], // there is no such file
  ])('[S0-65] %j is a visible error that names the hook', async (code, message) => {
    const { status, error, model } = await play({ broken: code }, [{ text: 'Hello!' }]);
    expect([status, error?.code, model.requests.length]).toEqual(['error', 'model_failed', 0]);
    expect(error?.message.startsWith('Hook error in "/hooks/broken.js": ')).toBe(true);
    expect(error?.message).toContain(message);
  });
});

it('[S0-65] a hook that never ends is ended by the sandbox', async () => {
  const files = createFiles(memoryStorage());
  await files.write('/hooks/loop.js', 'for (;;) {}');
  const model = withMiddleware(
    scriptedModel([]),
    ...fileHooks({
      names: ['loop'],
      files,
      async run(code, _event, signal) {
        const { status, text } = await sandbox.run({ code, signal, limits: { workMs: 100 } });
        if (status !== 'done') throw new Error(text);
        return null;
      },
    }),
  );
  const toolset = resolveToolset(createRegistry(), emptySettings, {});
  const { status, error } = await run({ model, toolset, messages: 'Hi' }).result;
  expect([status, error?.code]).toEqual(['error', 'model_failed']);
  expect(error?.message).toContain('Hook error in "/hooks/loop.js": ');
});
