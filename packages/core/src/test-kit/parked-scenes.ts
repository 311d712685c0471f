import type { Environment } from '../base/environment.ts';
import { isObject } from '../base/json.ts';
import type { Model } from '../model/model.ts';
import { noUsage } from '../model/usage.ts';
import type { Policy } from '../run/permission/policy.ts';
import { permissions } from '../run/permission/policy.ts';
import type { Run, RunOptions } from '../run/run.ts';
import { resume, run } from '../run/lazy-run.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { ScriptedTurn } from '../testing/scripted-model.ts';
import { cancelDetached } from '../thread/detached-calls.ts';
import { answerQuestion } from '../thread/answer-question.ts';
import { openQuestions } from '../thread/open-questions.ts';
import type { QuestionAnswer } from '../thread/question.ts';
import type { Thread } from '../thread/thread.ts';
import { result } from '../tool/result.ts';
import type { Tool, ToolContext } from '../tool/tool.ts';
import { testSeals, tool, toolsetOf, until } from './runs.ts';

/** The hands of a scene: each one works as a process of its own would. */
export interface Stage {
  /** A run that parks as soon as it must ask. */
  begin(turn: ScriptedTurn, options?: Partial<RunOptions>): Run;
  goOn(): Run;
  /** Answers the open questions, in order. */
  answer(...answers: readonly QuestionAnswer[]): Promise<void>;
  thread(): Thread;
}

/** A thread left in a given state, and the outcome of resuming it. */
export interface ParkedScene {
  /** Leaves the thread: when it returns, the process ends. */
  leave(stage: Stage): Promise<unknown>;
  /** A call keeps the run from parking, which is stopped once it asks. */
  readonly isHeld?: true;
  /** The questions, the actions of `save` after them, and the end of the run if nobody answers any more. */
  readonly comesTo: readonly [asked: readonly string[], saved: readonly string[], status: string];
}

/** Observations during a resumption. */
export interface Saved {
  readonly texts: string[];
  /** A call with the text `a` begins, and does not come back. */
  isStuck: boolean;
}

/** Tools of all scenes. */
function sceneTools(saved: Saved): readonly Tool[] {
  const save = tool('save', {
    effects: 'write',
    execute(input) {
      saved.texts.push((input as { readonly text: string }).text);
      return saved.isStuck && (input as { readonly text: string }).text === 'a'
        ? new Promise<never>(() => undefined)
        : 'saved';
    },
  });
  const { execute: _, ...pick } = tool('pick');
  const doing = (name: string, execute: (context: ToolContext) => unknown): Tool =>
    tool(name, { timeoutMs: 0, execute: (_input, _options, context) => execute(context) });
  const calls = doing('calls', async ({ call }) => (await call('save', { text: 'inside' })).output);
  const script = tool('script', {
    effects: 'destructive',
    replayable: true,
    timeoutMs: 0,
    async execute(_input, _options, { call }) {
      const first = await call('save', { text: 'first' });
      const second = await call('save', { text: 'second' });
      return [first.output, second.output];
    },
  });
  const build = tool('build', {
    effects: 'write',
    execute: (input) => result({ output: 'It has begun.', detached: input as { text: string } }),
    settle: (handle) =>
      saved.isStuck && isObject(handle) && handle['text'] === 'a' ? new Promise(() => undefined) : 'passed',
  });
  const agent = doing('agent', async (context) => {
    const model = scriptedModel([
      { calls: [{ name: 'save', callId: 'i', input: { text: 'agent' } }] },
      { text: 'Saved.' },
    ]);
    return (await (await context.run({ model, messages: 'Save it.' })).result).text;
  });
  const team = tool('team', {
    effects: 'write',
    replayable: true,
    timeoutMs: 0,
    async execute(_input, _options, context) {
      return (await (await context.run({ model: teammate, messages: 'Save both.' })).result).text;
    },
  });
  return [save, pick, calls, script, build, agent, team];
}

/** Saves two texts, one a turn, whichever of its turns a process begins with. */
const teammate: Model = {
  info: { api: 'text', id: 'teammate' },
  async *stream({ messages }) {
    const done = messages.filter(({ role }) => role === 'tool').length;
    const text = ['first', 'second'][done];
    if (text === undefined) yield { type: 'text-delta', text: 'Both are saved.' };
    else yield { type: 'tool-call', callId: `i${done}`, name: 'save', input: { text }, executedBy: 'us' };
    yield { type: 'finish', reason: text === undefined ? 'stop' : 'tool-calls', usage: noUsage };
  },
};

const asksToSave: Policy = (request) =>
  request.name === 'save' && request.input['text'] !== 'first' ? permissions('write')(request) : 'allow';

/** Options of all runs of scenes. */
export const sceneOptions = (saved: Saved, environment: Environment) =>
  ({
    toolset: toolsetOf([...sceneTools(saved)]),
    policy: asksToSave,
    seals: testSeals,
    environment,
    questions: { parkAfterMs: 0 },
  }) as const;

/** A stage over threads that `open` opens. */
export function stageOver(open: () => Thread, saved: Saved, environment: Environment): Stage {
  const options = sceneOptions(saved, environment);
  return {
    begin: (turn, more = {}) =>
      run({ ...options, model: scriptedModel([turn]), thread: open(), messages: 'Save it.', ...more }),
    goOn: () => resume({ ...options, model: scriptedModel([{ text: 'Done.' }]), thread: open() }),
    async answer(...answers) {
      for (const answer of answers) {
        const [question] = await openQuestions(open(), environment.now());
        const given = { questionId: question?.id ?? '', answer, by: 'ann', seals: testSeals };
        await answerQuestion(open(), given, environment.now);
      }
    },
    thread: open,
  };
}

const saves = (callId: string, text: string): NonNullable<ScriptedTurn['calls']>[number] => ({
  name: 'save',
  callId,
  input: { text },
});
const one = { calls: [saves('1', 'a')] };

/** The run asks, and is given these answers while no process has it. */
const answered =
  (...answers: readonly QuestionAnswer[]) =>
  async ({ begin, answer }: Stage): Promise<void> => {
    await begin(one).result;
    await answer(...answers);
  };

/** The process ends in the middle of the call. */
async function breakOff({ begin }: Stage): Promise<void> {
  await until(begin(one, { policy: () => 'allow' }), 'tool-start');
}

const recovered =
  (answer: QuestionAnswer) =>
  async (stage: Stage): Promise<void> => {
    await breakOff(stage);
    await stage.goOn().result;
    await stage.answer(answer);
  };

/** The run starts a build, says so, and parks. */
const builds = ({ begin }: Stage): Promise<unknown> => {
  const model = scriptedModel([buildOf('a'), { text: 'It builds.' }]);
  return begin(buildOf('a'), { model, detached: { parkAfterMs: 0 } }).result;
};

const buildOf = (text: string) => ({ calls: [{ name: 'build', callId: 'b', input: { text } }] });

/** Ways to leave a thread. */
export const parkedScenes: Readonly<Record<string, ParkedScene>> = {
  'approval-open': { leave: answered(), comesTo: [['approval'], [], 'needs-approval'] },
  'approval-given': { leave: answered('once'), comesTo: [[], ['a'], 'complete'] },
  'approval-with-input': { leave: answered({ input: { text: 'b' } }), comesTo: [[], ['b'], 'complete'] },
  'approval-denied': { leave: answered('deny'), comesTo: [[], [], 'complete'] },
  'approvals-one-given': {
    async leave({ begin, answer }) {
      await begin({ calls: [saves('1', 'a'), saves('2', 'b')] }).result;
      await answer('once');
    },
    comesTo: [['approval'], ['a'], 'needs-approval'],
  },
  'approval-for-ann': {
    leave: ({ begin }) => begin(one, { questions: { parkAfterMs: 0, answerers: ['ann'], expireAfterMs: 9e9 } }).result,
    comesTo: [['approval'], [], 'needs-approval'],
  },
  'approval-expired': {
    leave: ({ begin }) => begin(one, { questions: { parkAfterMs: 0, expireAfterMs: 1_000 } }).result,
    comesTo: [[], [], 'complete'],
  },
  'approval-dismissed': {
    async leave({ begin, thread }) {
      await begin(one).result;
      const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Never mind.' }], createdAt: 5 } as const;
      await thread().append([{ type: 'message', message }]);
    },
    comesTo: [[], [], 'complete'],
  },
  'approval-used-up': {
    async leave({ begin, answer, goOn }) {
      await begin(one).result;
      await answer('once');
      await until(goOn(), 'tool-start');
    },
    comesTo: [['recovery'], [], 'needs-approval'],
  },
  'input-open': {
    leave: ({ begin }) => begin({ calls: [{ name: 'pick', callId: '1' }] }).result,
    comesTo: [['input'], [], 'needs-input'],
  },
  'input-given': {
    async leave({ begin, answer }) {
      await begin({ calls: [{ name: 'pick', callId: '1' }] }).result;
      await answer({ output: 'red' });
    },
    comesTo: [[], [], 'complete'],
  },
  begun: { leave: breakOff, comesTo: [['recovery'], [], 'needs-approval'] },
  'recovery-accepted': { leave: recovered('accept'), comesTo: [[], [], 'complete'] },
  'recovery-rejected': { leave: recovered('reject'), comesTo: [[], [], 'complete'] },
  'recovery-again': { leave: recovered('again'), comesTo: [[], ['a'], 'complete'] },
  'question-inside-a-call': {
    leave: ({ begin }) => until(begin({ calls: [{ name: 'calls', callId: '1' }] }), 'approval-request'),
    isHeld: true,
    comesTo: [['approval'], [], 'stopped'],
  },
  'script-open': {
    leave: ({ begin }) => begin({ calls: [{ name: 'script', callId: '1' }] }).result,
    comesTo: [['approval'], [], 'needs-approval'],
  },
  'script-given': {
    async leave({ begin, answer }) {
      await begin({ calls: [{ name: 'script', callId: '1' }] }).result;
      await answer('once');
    },
    comesTo: [[], ['second'], 'complete'],
  },
  'question-of-a-run-inside': {
    async leave({ begin, thread }) {
      const asking = begin({ calls: [{ name: 'agent', callId: '1' }] });
      for await (const event of asking.events())
        if (event.type === 'sub-run' && event.event.type === 'approval-request') break;
      await openQuestions(thread());
    },
    isHeld: true,
    comesTo: [['approval'], [], 'stopped'],
  },
  'build-parked': { leave: builds, comesTo: [[], [], 'complete'] },
  'build-cancelled': {
    async leave(stage) {
      await builds(stage);
      await cancelDetached(stage.thread(), { callId: 'b', reason: 'Not needed.', by: 'ann' }, () => 7);
    },
    comesTo: [[], [], 'complete'],
  },
  'build-settled': {
    leave({ begin }) {
      const turns = [buildOf('b'), { text: 'It builds.' }, { text: 'It has passed.' }];
      return begin(buildOf('b'), { model: scriptedModel(turns) }).result;
    },
    comesTo: [[], [], 'complete'],
  },
  'build-beside-a-question': {
    leave: ({ begin }) => begin({ calls: [...buildOf('a').calls, saves('1', 'a')] }).result,
    comesTo: [['approval'], [], 'needs-approval'],
  },
  'run-inside-open': {
    leave: ({ begin }) => begin({ calls: [{ name: 'team', callId: '1' }] }).result,
    comesTo: [['approval'], [], 'needs-approval'],
  },
  'run-inside-given': {
    async leave({ begin, answer }) {
      await begin({ calls: [{ name: 'team', callId: '1' }] }).result;
      await answer('once');
    },
    comesTo: [[], ['second'], 'complete'],
  },
};
