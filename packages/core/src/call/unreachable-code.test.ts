// Bundles an app and deletes its chunks while a tool runs, as when the network is down or a new version has been deployed.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { memoryThread, noUsage } from '../index.ts';
import type * as core from '../index.ts';
import type * as guards from '../run/guard/index.ts';
import type {
  Model,
  ModelPart,
  ResumeOptions,
  Run,
  RunOptions,
  RunResult,
  Thread,
  ThreadEntry,
  Tool,
  ToolContext,
  Toolset,
} from '../index.ts';
import { sourceCondition } from '../../../../tooling/workspace/manifest.ts';

interface App extends Pick<typeof core, (typeof names)[number]>, Pick<typeof guards, 'guard'> {
  /** Deletes its code, or a chunk of it. */
  vanish(chunk?: string): Promise<void>;
}

const names = [
  'createRegistry',
  'defineTool',
  'emptySettings',
  'jsonSchema',
  'resolveToolset',
  'result',
  'resume',
  'run',
  'runTool',
] as const;

async function withApp(use: (app: App) => Promise<void>, { hasGuard = false } = {}): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'utensil-core-'));
  async function vanish(chunk?: string): Promise<void> {
    if (chunk === undefined) return rm(directory, { recursive: true, force: true });
    const files = (await readdir(directory)).filter((file) => file.startsWith(`${chunk}-`));
    expect(files).toHaveLength(1);
    for (const file of files) await rm(join(directory, file));
  }
  try {
    const [input, output] = [join(directory, 'source.mjs'), join(directory, 'app.mjs')];
    const exporting = (values: string, path: string): string =>
      `export { ${values} } from ${JSON.stringify(join(import.meta.dirname, path))};`;
    const source = exporting(names.join(), '../index.ts');
    await writeFile(input, hasGuard ? source + exporting('guard', '../run/guard/index.ts') : source);
    const bundle = await rolldown({ input, resolve: { conditionNames: [sourceCondition, 'import', 'default'] } });
    await bundle.write({ dir: directory, entryFileNames: 'app.mjs' });
    const loaded = (await import(pathToFileURL(output).href)) as Omit<App, 'vanish'>;
    await use({ ...loaded, vanish });
  } finally {
    await vanish();
  }
}

/** A model that calls tools in its first turn, the second once `before` has resolved, and then ends. */
function callingModel(calls: readonly string[], before?: Promise<void>): Model {
  let turn = 0;
  return {
    info: { api: 'text', id: 'calling' },
    async *stream(): AsyncGenerator<ModelPart> {
      const isFirst = turn++ === 0;
      if (!isFirst) yield { type: 'text-delta', text: 'Done.' };
      else
        for (const name of calls) {
          yield { type: 'tool-call', callId: name, name, input: {}, executedBy: 'us' };
          await before;
        }
      yield { type: 'finish', reason: isFirst ? 'tool-calls' : 'stop', usage: noUsage };
    },
  };
}

type Work = (context: ToolContext) => unknown;

/** A tool whose app vanishes while it works. */
function toolOf({ defineTool, jsonSchema, vanish }: App, work: Work, given: Partial<Tool> = {}): Tool {
  return defineTool({
    name: 'work',
    description: 'Works.',
    input: jsonSchema({ type: 'object' }),
    effects: 'write',
    async execute(_input, _options, context) {
      await vanish();
      return work(context);
    },
    ...given,
  });
}

function begin(app: App, tools: readonly Tool[], options: Partial<RunOptions> = {}): Run {
  const { createRegistry, emptySettings, resolveToolset, run } = app;
  const toolset = resolveToolset(createRegistry(tools), emptySettings, {});
  return run({ model: callingModel(tools.map(({ name }) => name)), toolset, messages: 'Work.', ...options });
}

const bytes = 'QUJDRGVm0123'.repeat(20_000);
const numbers = { type: 'object', properties: { count: { type: 'number' } } };
const anyObject = {
  '~standard': {
    version: 1,
    vendor: 'a library',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ type: 'object' }) },
  },
} as const;

const cases: Readonly<Record<string, { work: Work; given?: (app: App) => Partial<Tool>; expected: string }>> = {
  'that fails': {
    work: () => Promise.reject(new Error('The disk is full')),
    expected: 'Tool execution failed: The disk is full',
  },
  'with a long text': { work: () => 'long '.repeat(100_000), expected: 'characters left out' },
  'with data': { work: () => bytes, expected: 'not shown' },
  'with an output that is checked': {
    work: () => ({ count: 1 }),
    given: ({ jsonSchema }) => ({ input: anyObject, output: jsonSchema(numbers, { assertFormats: true }) }),
    expected: '"output":{"count":1},',
  },
  'with an output that does not fit': {
    work: () => ({ count: 'one' }),
    given: ({ jsonSchema }) => ({ input: anyObject, output: jsonSchema(numbers) }),
    expected: 'count: expected a number',
  },
  'that calls another': {
    work: async ({ call }) => `It said: ${String((await call('work', {})).output)}`,
    expected: 'It said: The call of \\"work\\" could not begin',
  },
};

it.each(Object.entries(cases))(
  'a tool %s is answered although no more code can be loaded',
  async (_what, { work, given, expected }) => {
    await withApp(async (app) => {
      const { status, error, messages } = await begin(app, [toolOf(app, work, given?.(app))]).result;
      expect([status, error]).toEqual(['complete', undefined]);
      expect(JSON.stringify(messages)).toContain(expected);
    });
  },
);

it('a call that goes on in the background is awaited although no more code can be loaded', async () => {
  await withApp(async (app) => {
    const work = toolOf(app, () => app.result({ output: null, detached: 'job' }), {
      settle: async () => 'It is over.',
    });
    const { status, messages } = await begin(app, [work]).result;
    expect([status, messages.flatMap(({ parts }) => parts).find(({ type }) => type === 'late-result')]).toMatchObject([
      'complete',
      { output: 'It is over.' },
    ]);
  });
  await withApp(async (app) => {
    const work = toolOf(app, () => app.result({ output: null, detached: 'job' }), {
      settle: async () => 'It is over.',
    });
    expect(await app.runTool(work, {})).toMatchObject({ output: 'It is over.' });
  });
});

it('a call keeps its result although another has a question, and no more code can be loaded', async () => {
  await withApp(async (app) => {
    let vanished: (() => void) | undefined;
    const isGone = new Promise<void>((resolve) => (vanished = resolve));
    const work = toolOf(app, async () => {
      vanished?.();
      await isAsked;
      return 'It is written.';
    });
    const other = toolOf(app, () => 'never', { name: 'other' });
    const played = begin(app, [work, other], {
      model: callingModel(['work', 'other'], isGone),
      policy: ({ name }) => (name === 'other' ? 'ask' : 'allow'),
    });
    const isAsked = (async () => {
      for await (const event of played.events())
        if (event.type === 'approval-request') return played.answer(event.questionId, 'deny');
    })();
    const { status, messages } = await played.result;
    expect(status).toBe('complete');
    expect(JSON.stringify(messages)).toContain('It is written.');
  });
});

/** Resumes a thread whose only call of the tool `work` has no result, with an app of its own. */
async function resumedBy(
  thread: Thread,
  work: (app: App) => Partial<Tool>,
  options: (app: App) => Partial<ResumeOptions> = () => ({}),
): Promise<RunResult> {
  let result: RunResult | undefined;
  await withApp(async (app) => {
    const toolset = app.resolveToolset(
      app.createRegistry([toolOf(app, () => 'again', work(app))]),
      app.emptySettings,
      {},
    );
    result = await app.resume({ model: callingModel([]), toolset, thread, ...options(app) }).result;
  });
  return result as RunResult;
}

async function interruptedThread(...more: readonly ThreadEntry[]): Promise<Thread> {
  const thread = memoryThread('t');
  const call = { type: 'tool-call', callId: '1', name: 'work', input: {}, executedBy: 'us' } as const;
  const common = { createdAt: 0, runId: 'r' };
  await thread.append([
    { type: 'message', message: { ...common, id: 'a', role: 'user', parts: [{ type: 'text', text: 'Work.' }] } },
    { type: 'message', message: { ...common, id: 'b', role: 'assistant', parts: [call] } },
    ...more,
  ]);
  return thread;
}

const begun = { type: 'call-begun', callId: '1', runId: 'r', time: 0 } as const;
const gone = { status: 'error', error: { code: 'code_unavailable' } } as const;

it.each<[string, (app: App) => Tool['input']]>([
  [
    'any code',
    (app) => {
      const validate = async (value: unknown) => {
        await app.vanish();
        return { value };
      };
      return { '~standard': { ...anyObject['~standard'], validate } };
    },
  ],
  [
    'the validator',
    (app) => {
      const input = app.jsonSchema({ type: 'object' });
      const validate = async (value: unknown) => {
        await app.vanish('interpreter');
        return input['~standard'].validate(value);
      };
      return { '~standard': { ...input['~standard'], validate } };
    },
  ],
])(
  'a call that had begun waits for a run that can load its code, and is not declared lost: without %s',
  async (_, input) => {
    const thread = await interruptedThread(begun);
    const reconcile = () => ({ done: 'done before' });
    expect(await resumedBy(thread, (app) => ({ input: input(app), reconcile }))).toMatchObject(gone);
    const { status, messages } = await resumedBy(thread, () => ({ reconcile }));
    expect(status).toBe('complete');
    expect(JSON.stringify(messages)).toContain('done before');
  },
);

it('a new call whose arguments cannot be validated for want of code is refused, and the model is told why', async () => {
  await withApp(async (app) => {
    await app.vanish('interpreter');
    const { status, messages } = await begin(app, [toolOf(app, () => 'never')]).result;
    expect(status).toBe('complete');
    expect(JSON.stringify(messages)).toContain('The call was not run: A part of the app could not be loaded');
  });
});

it('a policy that fails denies although no more code can be loaded', async () => {
  await withApp(async (app) => {
    const policy = async (): Promise<never> => {
      await app.vanish();
      throw new Error('The rules are gone');
    };
    const { status, messages } = await begin(app, [toolOf(app, () => 'never')], { policy }).result;
    expect(status).toBe('complete');
    expect(JSON.stringify(messages)).toContain('the policy failed: The rules are gone');
  });
});

it('a tool by itself does not throw if its code cannot be loaded', async () => {
  await withApp(async (app) => {
    const work = toolOf(app, () => 'never');
    await app.vanish();
    expect(await app.runTool(work, {})).toMatchObject({ isError: true });
  });
});

it.each<[string, (app: App) => (toolset: Toolset) => Toolset]>([
  ['a toolset', () => (toolset) => toolset],
  ['a guarded toolset', (app) => (toolset) => app.guard(toolset, { policy: () => 'allow' })],
  ['a guarded source', (app) => (toolset) => app.guard(() => toolset, { policy: () => 'allow' })],
])('%s executes a call although no code for it can be loaded: the result says so', async (_, made) => {
  await withApp(
    async (app) => {
      const toolset = app.resolveToolset(app.createRegistry([toolOf(app, () => 'Done.')]), app.emptySettings, {});
      const { execute } = made(app)(toolset);
      const context = { projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal };
      await app.vanish('prepare');
      const failed = await execute({ name: 'work', input: {} }, context);
      expect(failed).toMatchObject({ isError: true, code: 'code_unavailable' });
      expect(failed.output).toContain('The call was not run: A part of the app could not be loaded');
      expect(failed.output).not.toMatch(/[\\/]/); // nor where it should be
    },
    { hasGuard: true },
  );
});

it('a guarded toolset rejected if a person changed a call, and the new input could not be checked', async () => {
  await withApp(
    async (app) => {
      const work = toolOf(app, () => 'never', { input: app.jsonSchema(numbers) });
      const toolset = app.resolveToolset(app.createRegistry([work]), app.emptySettings, {});
      const { execute } = app.guard(toolset, {
        policy: () => 'ask',
        ask: async () => {
          await app.vanish();
          return { input: { count: 'one' } };
        },
      });
      const context = { projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal };
      const failed = await execute({ name: 'work', input: { count: 1 } }, context);
      expect(failed).toMatchObject({ isError: true, code: 'code_unavailable' });
    },
    { hasGuard: true },
  );
});

it('a run that needs more code than it can load says so, and the next run continues', async () => {
  const thread = await interruptedThread();
  const failed = await resumedBy(
    thread,
    () => ({ input: anyObject }),
    (app) => ({
      thread: {
        ...thread,
        async claim(options) {
          await app.vanish();
          return thread.claim(options);
        },
      },
    }),
  );
  expect(failed).toMatchObject(gone);
  expect(failed.error?.message).toContain('Check the network and reload the app');
  const { messages } = await resumedBy(thread, () => ({ effects: 'read', execute: () => 'Done.' }));
  expect(JSON.stringify(messages)).toContain('"output":"Done."');
});

it('a message with a receipt that was sent during a run ended it', async () => {
  await withApp(async (app) => {
    const part = {
      type: 'tool-result',
      callId: 'old',
      name: 'work',
      output: null,
      modelParts: [],
      isError: false,
    } as const;
    const work = app.defineTool({
      name: 'work',
      description: 'Works.',
      input: anyObject,
      effects: 'read',
      execute() {
        running.send({ role: 'user', parts: [{ ...part, detached: 'job' }] });
        return 'Done.';
      },
      settle: async () => 'It is over.',
    });
    const plain = app.defineTool({ ...work, name: 'plain', settle: undefined as never });
    const running = begin(app, [plain, work], { model: callingModel(['plain']) });
    expect(await running.result).toMatchObject({ status: 'complete' });
  });
});
