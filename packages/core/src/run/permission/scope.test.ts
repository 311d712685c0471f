import { beforeAll, describe, expect, it } from 'vitest';
import { capability } from '../../tool/capability.ts';
import type { Environment } from '../../base/environment.ts';
import { textOf } from '../../model/message.ts';
import type { Message } from '../../model/message.ts';
import { answerParts, withMiddleware } from '../../model/middleware.ts';
import type { Model, ModelPart, ModelRequest } from '../../model/model.ts';
import { createRegistry } from '../../tool/registry.ts';
import { emptySettings, withEnabled } from '../../settings/settings.ts';
import { scriptedModel } from '../../testing/index.ts';
import type { ScriptedTurn } from '../../testing/index.ts';
import {
  call,
  eventsOf,
  finish,
  gate,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  tool,
  toolsetOf,
} from '../../test-kit/runs.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { result } from '../../tool/result.ts';
import { resolveToolset } from '../../toolset/toolset.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import { memoryGrants } from './grants.ts';
import { permissions } from './policy.ts';
import type { PermissionTier, PolicyRequest } from './policy.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import { resume } from '../lazy-run.ts';
import type { Run, RunOptions } from '../run.ts';
import { messagesOf } from '../../thread/messages.ts';

/** Ids and times that are the same in every run. */
function sameEachTime(): Environment {
  let count = 0;
  return { now: () => 0, id: () => `id${++count}` };
}

/** A tool whose `execute` is the test's function of its context. */
const doing = (name: string, work: (context: ToolContext) => unknown): Tool =>
  tool(name, { execute: (_input, _options, context) => work(context) });

const helpers = (): readonly Tool[] => [
  doing('calls', async ({ call }) => (await call('off', { a: 1 })).output),
  doing('lists', async ({ tools }) => (await tools()).map(({ name }) => name)),
  doing('begins', async ({ run }) => {
    const inside = await run({
      model: scriptedModel([{ calls: [{ name: 'off' }, { name: 'lists' }] }, {}]),
      messages: 'Go.',
      tools: ['off', 'lists'],
    });
    return resultsOf((await inside.result).messages).map(({ output }) => output);
  }),
];

/** A tool that is off, in each way in which one can be; what runs is told. */
function waysOff(ran: string[]): Readonly<Record<string, () => Toolset>> {
  const off = (more: Partial<Tool> = {}): Tool =>
    tool('off', {
      effects: 'write',
      formerNames: ['formerly'],
      native: { text: () => ({ type: 'vendors_own', name: 'off' }) },
      prompt: 'There is a tool that is off.',
      execute: () => ran.push('off'),
      ...more,
    });
  const names = helpers().map(({ name }) => name);
  return {
    disabled: () => {
      const registry = createRegistry([...helpers(), off()]);
      return resolveToolset(registry, withEnabled(emptySettings, off(), false), {});
    },
    'off by default': () => toolsetOf([...helpers(), off({ defaultEnabled: false })]),
    'out of scope': () => toolsetOf([...helpers(), off()]).derive({ only: names }),
    'out of a scope that only reads': () => toolsetOf([...helpers(), off()]).derive({ readOnly: true }),
    'hidden, as the host lacks what it needs': () =>
      toolsetOf([...helpers(), off({ requires: { nothing: capability('nothing') } })]),
    'hidden, as its own definition fails': () =>
      toolsetOf([
        ...helpers(),
        off({
          description: () => {
            throw new Error('no');
          },
        }),
      ]),
  };
}

const openCall: Message = {
  id: 'm',
  role: 'assistant',
  runId: 'before',
  createdAt: 0,
  parts: [{ type: 'tool-call', callId: 'call-1', name: 'off', input: {}, executedBy: 'us' }],
};

/** A thread whose last call had begun, or was allowed, before an interruption. */
function interrupted(type: 'call-begun' | 'call-approved'): ReturnType<typeof memoryThread> {
  const thread = memoryThread([
    { ...openCall, id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
    openCall,
  ]);
  thread.marks.push({ type, callId: 'call-1', runId: 'before', time: 0, toolFingerprint: 'any' });
  return thread;
}

type Mode = (
  toolset: Toolset,
  more?: Partial<RunOptions>,
) => Run & { readonly model: { readonly requests: readonly ModelRequest[] } };

const calling =
  (...names: readonly string[]): Mode =>
  (toolset, more) =>
    play([{ calls: names.map((name) => ({ name })) }, { text: 'Done.' }], [], { toolset, ...more });

const resuming =
  (type: 'call-begun' | 'call-approved'): Mode =>
  (toolset, more) => {
    const model = scriptedModel([{ text: 'Done.' }]);
    return { model, ...resume({ model, toolset, thread: interrupted(type), ...more }) };
  };

const modes: Readonly<Record<string, Mode>> = {
  'a call of the model’s': calling('off'),
  'a call under its former name': calling('formerly'),
  'calls beside others': calling('lists', 'off', 'lists', 'off'),
  'a call in a turn that is waited for': (toolset, more) => calling('off')(toolset, { eager: false, ...more }),
  'a call of another tool’s': calling('calls'),
  'the list that another tool sees': calling('lists'),
  'a call in a run inside': calling('begins'),
  'a call that a middleware makes': (toolset, more) => {
    let turns = 0;
    const made = scriptedModel([{ text: 'Done.' }]);
    const model = withMiddleware(made, {
      name: 'made',
      stream: (request, next) =>
        turns++ > 0
          ? next(request)
          : answerParts({ calls: [{ name: 'off' }] }).map((part) =>
              part.type === 'tool-call' ? { ...part, callId: 'call-1' } : part,
            ),
    });
    return { ...play(model, [], { toolset, ...more }), model: made };
  },
  'a call that an interruption left open': resuming('call-begun'),
  'a call that was allowed before an interruption': resuming('call-approved'),
};

/**
 * Everything visible of a run to the model, the app and the thread, except for people's explanation of why a tool
 * cannot be used.
 */
async function seenOf(mode: Mode, toolset: Toolset, more?: Partial<RunOptions>): Promise<string> {
  const played = mode(toolset, { environment: sameEachTime(), ...more });
  const { status, messages } = await played.result;
  const { requests } = played.model;
  const events = (await eventsOf(played))
    .filter(({ type }) => type !== 'tool-unavailable')
    .map(({ seq: _, ...rest }) => rest);
  return JSON.stringify({ status, messages, requests, events }, undefined, 1);
}

const policies: Readonly<Record<string, Partial<RunOptions>>> = {
  'where all is allowed': {},
  'where the user would be asked': { policy: permissions('all'), interactive: false },
};

// In the first run of a process calls may begin later than in others, once their code is loaded.
beforeAll(async () => {
  for (const mode of Object.values(modes))
    for (const more of Object.values(policies)) await seenOf(mode, toolsetOf(helpers()), more);
});

describe.each(Object.keys(waysOff([])))('a tool that is %s', (way) => {
  describe.each(Object.entries(modes))('in %s', (_, mode) => {
    it.each(Object.entries(policies))(
      '[S2-02] [A1-02] [A3-02] [D1-05] [D3-03] is a tool that never was, byte for byte, and does not run, %s',
      async (__, more) => {
        const ran: string[] = [];
        const never = await seenOf(mode, toolsetOf(helpers()), more);
        const off = await seenOf(mode, (waysOff(ran)[way] as () => Toolset)(), more);
        expect(off).toBe(never);
        expect(ran).toEqual([]);
      },
    );
  });
});

it('[S2-02] a tool that is in the scope runs in each of these modes', async () => {
  for (const [name, mode] of Object.entries(modes)) {
    const ran: string[] = [];
    const off = tool('off', { idempotent: true, formerNames: ['formerly'], execute: () => ran.push('off') });
    await seenOf(mode, toolsetOf([...helpers(), off]));
    expect([name, ran.length > 0]).toEqual([name, name !== 'the list that another tool sees']);
  }
});

it('[S2-02] a run inside that only reads has no tools that change something, and is denied what others would change', async () => {
  const ran: string[] = [];
  const tools = [
    tool('save', { effects: 'write', execute: () => ran.push('save') }),
    tool('file', {
      effects: (input) => ((input as { write?: boolean }).write === true ? 'write' : 'read'),
      execute: () => ran.push('file') && 'the text',
    }),
    doing('deep', async ({ run }) => {
      const model = scriptedModel([{ calls: [{ name: 'file', input: { write: true } }, { name: 'save' }] }, {}]);
      const { messages } = await (await run({ model, messages: 'Go.' })).result;
      return resultsOf(messages).map(({ output }) => output);
    }),
    doing('around', async ({ call }) => (await call('file', { write: true })).output),
  ];
  const model = scriptedModel([
    {
      calls: [
        { name: 'file' },
        { name: 'file', input: { write: true } },
        { name: 'save' },
        { name: 'deep' },
        { name: 'around' },
      ],
    },
    {},
  ]);
  const begins = doing('begins', async ({ run }) => {
    const inside = await run({ model, messages: 'Read.', readOnly: true, tools: ['file', 'save', 'deep', 'around'] });
    return resultsOf((await inside.result).messages).map(({ output }) => output);
  });
  const { messages } = await play([{ calls: [{ name: 'begins' }] }, {}], [...tools, begins]).result;
  const denied = "The call of tool 'file' was denied by policy: this run may only read. Do not retry it.";
  const unknown = 'Unknown tool: save';
  expect(resultsOf(messages)[0]?.output).toEqual(['the text', denied, unknown, [denied, unknown], denied]);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['around', 'deep', 'file']);
  expect(ran).toEqual(['file']);
});

describe('scopes, tiers and grants', () => {
  const kinds: Readonly<Record<string, Partial<Tool>>> = {
    read: {},
    write: { effects: 'write' },
    destroy: { effects: 'destructive' },
    fetch: { openWorld: true },
    post: { effects: 'write', openWorld: true },
  };
  const asking: Readonly<Record<PermissionTier, readonly string[]>> = {
    bypass: [],
    outward: ['fetch', 'post'],
    write: ['write', 'destroy', 'fetch', 'post'],
    all: Object.keys(kinds),
  };
  const answers: readonly (QuestionAnswer & string)[] = ['once', 'run', 'always', 'deny'];
  const rows = (Object.keys(asking) as PermissionTier[]).flatMap((tier) =>
    [...Object.keys(kinds), 'hallucinated', 'disabled', 'elsewhere'].flatMap((name) =>
      [...answers, 'nobody' as const].map((answer) => ({ tier, name, answer })),
    ),
  );

  /** A run that calls the tool in two turns: the questions, and the results that the model read. */
  async function played({ tier, name, answer }: (typeof rows)[number]) {
    const ran: string[] = [];
    const tools = Object.entries(kinds).map(([each, more]) =>
      tool(each, { ...more, execute: () => ran.push(each) && 'ok' }),
    );
    const others = ['disabled', 'elsewhere'].map((each) => tool(each, { execute: () => ran.push(each) && 'ok' }));
    const [disabled] = others as [Tool];
    const toolset = resolveToolset(
      createRegistry([...tools, ...others]),
      withEnabled(emptySettings, disabled, false),
      {},
    );
    const turn: ScriptedTurn = { calls: [{ name }] };
    const run = play([turn, turn, {}], [], {
      toolset: toolset.derive({ only: [...Object.keys(kinds), 'disabled'] }),
      policy: permissions(tier),
      grants: memoryGrants(),
      interactive: answer !== 'nobody',
    });
    let asked = 0;
    for await (const event of run.events()) {
      if (event.type !== 'approval-request') continue;
      asked++;
      run.answer(event.questionId, answer as QuestionAnswer);
    }
    const last = run.model.requests[2]?.messages ?? [];
    return { asked, ran: ran.length, read: resultsOf(last).map(({ modelParts }) => textOf(modelParts)) };
  }

  /** Expected outcome of a row. */
  function expected({ tier, name, answer }: (typeof rows)[number]) {
    if (!(name in kinds)) return { asked: 0, ran: 0, read: Array(2).fill(`Unknown tool: ${name}`) };
    if (!asking[tier].includes(name)) return { asked: 0, ran: 2, read: ['ok', 'ok'] };
    const byUser = `The user denied permission to run tool '${name}'. Do not simply retry; ask the user how to proceed or try a different approach.`;
    const byNobody = `Permission is required to run tool '${name}', but this frontend cannot ask the user. The call was denied by policy.`;
    if (answer === 'nobody') return { asked: 0, ran: 0, read: [byNobody, byNobody] };
    if (answer === 'deny') return { asked: 2, ran: 0, read: [byUser, byUser] };
    // The first call of `post` has read untrusted text, and the tool publishes: no grant is enough for the second.
    const isRemembered = answer !== 'once' && name !== 'post';
    return { asked: isRemembered ? 1 : 2, ran: 2, read: ['ok', 'ok'] };
  }

  it.each(rows)('[A2-06] $tier: $name is answered $answer', async (row) => {
    expect(await played(row)).toEqual(expected(row));
  });

  it('[A2-06] a grant for a name makes no tool of it, and asks nobody', async () => {
    const all = { has: () => true, add: () => undefined };
    const toolset = toolsetOf([tool('write', { effects: 'write' })]).derive({ only: [] });
    const run = play([{ calls: [{ name: 'write' }, { name: 'hallucinated' }] }, {}], [], {
      toolset,
      policy: permissions('all'),
      grants: all,
    });
    const { messages } = await run.result;
    expect(resultsOf(messages).map(({ output }) => output)).toEqual([
      'Unknown tool: write',
      'Unknown tool: hallucinated',
    ]);
    expect((await eventsOf(run)).some(({ type }) => type === 'approval-request')).toBe(false);
  });
});

describe('what comes from outside through a call or a run inside', () => {
  /** Calls of a run that are judged as tainted. */
  const judged = async (
    script: readonly ScriptedTurn[] | Model,
    more: Partial<RunOptions>,
  ): Promise<readonly string[]> => {
    const { execute: _, ...asks } = tool('asks', { openWorld: true });
    const tools = [
      tool('fetch', { openWorld: true }),
      tool('look'),
      asks,
      doing('calls_asks', async ({ call }) => (await call('asks', {})).output),
      doing('calls_fetch', async ({ call }) => (await call('fetch', {})).output),
      doing('calls_look', async ({ call }) => (await call('look', {})).output),
      ...['fetch', 'look'].map((name) =>
        doing(`begins_${name}`, async ({ run }) => {
          const model = scriptedModel([{ calls: [{ name }] }, {}]);
          return (await (await run({ model, messages: 'Go.' })).result).status;
        }),
      ),
    ];
    const seen: string[] = [];
    const policy = ({ name, tainted }: PolicyRequest) => (tainted && seen.push(name), 'allow' as const);
    const played = play(script, tools, { policy, ...more });
    for await (const event of played.events())
      if (event.type === 'input-request') played.answer(event.questionId, { output: 'What strangers wrote.' });
    return seen;
  };
  const turnOf = (name: string): ScriptedTurn => ({ calls: [{ name }] });

  it.each(['fetch', 'calls_fetch', 'begins_fetch'])(
    'taints the run, and later ones of the thread: %s',
    async (name) => {
      const thread = memoryThread();
      expect(await judged([turnOf(name), turnOf('look'), {}], { thread })).toEqual(['look']);
      expect(await judged([turnOf('look'), {}], { thread })).toEqual(['look']);
    },
  );

  it.each<[string, ModelPart]>([
    ['a call that the vendor’s server runs', { ...call('v', 'find'), executedBy: 'provider' } as ModelPart],
    ['a page that the model cites', { type: 'source', url: 'https://example.org' }],
  ])('taints the run, and later ones of the thread: %s', async (_, part) => {
    const thread = memoryThread();
    const model = streamedModel([() => [part, call('1', 'look'), finish('tool-calls')]]);
    expect(await judged(model, { thread })).toEqual(['look']);
    expect(await judged([turnOf('look'), {}], { thread })).toEqual(['look']);
  });

  it.each([
    ['for the model', [turnOf('asks'), turnOf('look'), {}]],
    ['for a tool', [turnOf('calls_asks'), turnOf('look'), {}]],
  ])('taints the run where the client brings it %s', async (_, script) => {
    expect(await judged(script, {})).toEqual(['look']);
  });

  it('taints the runs that begin inside', async () => {
    expect(await judged([turnOf('fetch'), turnOf('begins_look'), {}], {})).toEqual(['begins_look', 'look']);
  });

  it.each(['look', 'calls_look', 'begins_look'])('is not what comes from inside: %s', async (name) => {
    const thread = memoryThread();
    expect(await judged([turnOf(name), turnOf(name), {}], { thread })).toEqual([]);
    expect(await judged([turnOf('look'), {}], { thread })).toEqual([]);
  });
});

describe('calls that run together', () => {
  /** The stages of one call: middleware, policy, the user's change, its own rewrite, progress, the result. */
  async function journey(together: boolean) {
    const seen: string[] = [];
    const work = tool('work', {
      input: tool('any').input,
      execute: async (input, _options, { progress }) => {
        const { text } = input as { text: string };
        progress(`at ${text}`);
        await Promise.resolve();
        return result({ output: `did ${text}`, input: { text: `${text}!` } });
      },
    });
    const policy = ({ input }: PolicyRequest) => (seen.push(`judged ${String(input['text'])}`), 'ask' as const);
    const made = ['a', 'b', 'c'].map((text) => ({ name: 'work', input: { text } }));
    const model = scriptedModel(together ? [{ calls: made }, {}] : [...made.map((each) => ({ calls: [each] })), {}]);
    const looking = withMiddleware(model, {
      name: 'looking',
      async *stream(request, next) {
        for await (const part of next(request)) {
          if (part.type === 'tool-call') seen.push(`saw ${String(part.input['text'])}`);
          yield part.type === 'tool-call' ? { ...part, input: { text: `${String(part.input['text'])}1` } } : part;
        }
      },
    });
    const thread = memoryThread();
    const run = play(looking, [work], { policy, thread });
    const progress: string[] = [];
    for await (const event of run.events()) {
      if (event.type === 'approval-request')
        run.answer(event.questionId, { input: { text: `${String(event.input['text'])}2` } });
      if (event.type === 'tool-progress') progress.push(String(event.progress));
    }
    const { messages } = await run.result;
    expect(await messagesOf(thread)).toEqual(messages);
    return {
      seen: seen.toSorted((a, b) => a.localeCompare(b)),
      progress: progress.toSorted((a, b) => a.localeCompare(b)),
      inputs: messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : []))),
      outputs: resultsOf(messages).map(({ output }) => output),
      last: model.requests.at(-1)?.messages.filter(({ role }) => role === 'tool').length,
    };
  }

  it('[D2-06] go through the same steps as one alone: middleware, policy, the user’s change, the rewrite of their input', async () => {
    const alone = await journey(false);
    expect(alone.inputs).toEqual([{ text: 'a12!' }, { text: 'b12!' }, { text: 'c12!' }]);
    expect(alone.outputs).toEqual(['did a12', 'did b12', 'did c12']);
    expect(alone.progress).toEqual(['at a12', 'at b12', 'at c12']);
    expect(alone.seen).toContain('judged c1');
    expect(await journey(true)).toEqual(alone);
  });

  it('[D2-06] are those of any tools that read, and each may rewrite its input', async () => {
    const all = gate();
    let open = 0;
    const waits = (name: string): Tool =>
      tool(name, {
        execute: async (input) => {
          if (++open === 3) all.open();
          await all; // every call waits until all have begun
          return result({ output: name, input: { ...(input as object), rewritten: name } });
        },
      });
    const names = ['a', 'b', 'c'];
    const { messages } = await play([{ calls: names.map((name) => ({ name })) }, {}], names.map(waits)).result;
    expect(resultsOf(messages).map(({ output }) => output)).toEqual(names);
    const inputs = messages[1]?.parts.map((part) => (part.type === 'tool-call' ? part.input : undefined));
    expect(inputs).toEqual(names.map((rewritten) => ({ rewritten })));
  });
});
