import { expect, it } from 'vitest';
import type { Message, NewMessage } from '../model/message.ts';
import { answerParts, withMiddleware } from '../model/middleware.ts';
import { scriptedModel } from '../testing/index.ts';
import type { ScriptedTurn } from '../testing/index.ts';
import {
  call,
  eventsOf,
  gate,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  tool,
  toolsetOf,
  until,
} from '../test-kit/runs.ts';
import { permissions } from './permission/policy.ts';
import type { Policy } from './permission/policy.ts';
import { resume } from './lazy-run.ts';

const destroy = tool('destroy', { effects: 'destructive' });
const fetchPage = tool('fetch', { openWorld: true });

/** A policy that allows everything, and remembers which calls were tainted. */
function watching(): Policy & { readonly seen: [string, boolean][] } {
  const seen: [string, boolean][] = [];
  return Object.assign<Policy, { seen: [string, boolean][] }>(
    ({ name, tainted }) => (seen.push([name, tainted]), 'allow'),
    {
      seen,
    },
  );
}

const goOn: NewMessage = { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] };

const destroying: readonly ScriptedTurn[] = [{ calls: [{ name: 'destroy' }] }, {}];

/** The history that a run leaves after reading a page. */
async function pageHistory(): Promise<readonly Message[]> {
  return (await play([{ calls: [{ name: 'fetch' }] }, { text: 'A page.' }], [fetchPage]).result).messages;
}

it('taint is lost where the history is given as messages', async () => {
  const policy = watching();
  const messages = [...(await pageHistory()), goOn];
  await play(destroying, [destroy], { policy, messages }).result;
  expect(policy.seen).toEqual([['destroy', true]]);
});

it('taint is lost where the results that brought it were cut from the history', async () => {
  const policy = watching();
  const cut = [...(await pageHistory()).filter(({ role }) => role !== 'tool').slice(-1), goOn];
  await play(destroying, [destroy], { policy, messages: cut }).result;
  expect(policy.seen).toEqual([['destroy', true]]);
});

it('taint is lost where a history comes from another program, without marks', async () => {
  const policy = watching();
  const messages: NewMessage[] = [
    { role: 'assistant', parts: [{ type: 'tool-call', callId: 'a', name: 'read_mail', input: {}, executedBy: 'us' }] },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'a',
          name: 'read_mail',
          output: 'x',
          modelParts: [{ type: 'text', text: 'x' }],
          isError: false,
        },
      ],
    },
  ];
  await play(destroying, [destroy], { policy, messages }).result;
  expect(policy.seen).toEqual([['destroy', true]]);
});

it('a message that is sent to a run taints it as one that it begins with', async () => {
  const policy = watching();
  const sent = gate();
  const wait = tool('wait', { execute: () => sent });
  const played = play([{ calls: [{ name: 'wait' }] }, { calls: [{ name: 'destroy' }] }, {}], [wait, destroy], {
    policy,
  });
  await until(played, 'tool-start');
  played.send({ role: 'user', parts: [{ type: 'source', url: 'https://x.example' }] });
  sent.open();
  await played.result;
  expect(policy.seen).toEqual([
    ['wait', false],
    ['destroy', true],
  ]);
});

it('a run inside loses the taint of the history that it is given', async () => {
  const policy = watching();
  const messages = [...(await pageHistory()), goOn];
  const inside = tool('inside', {
    execute: async (_input, _options, { run }) => {
      const child = await run({ model: scriptedModel(destroying), messages });
      return (await child.result).status;
    },
  });
  await play([{ calls: [{ name: 'inside' }] }, { calls: [{ name: 'destroy' }] }, {}], [inside, destroy], { policy })
    .result;
  expect(policy.seen).toEqual([
    ['inside', false],
    ['destroy', true],
    ['destroy', true],
  ]);
});

it('a call inside a call taints the run, and the result of the outer call is from outside', async () => {
  const policy = watching();
  const outer = tool('outer', { execute: async (_input, _options, { call }) => (await call('fetch', {})).output });
  const { messages } = await play(
    [{ calls: [{ name: 'outer' }] }, { calls: [{ name: 'destroy' }] }, {}],
    [outer, fetchPage, destroy],
    { policy },
  ).result;
  expect(policy.seen.at(-1)).toEqual(['destroy', true]);
  expect(resultsOf(messages)[0]?.openWorld).toBe(true);
});

it('what a hook answers in place of the model is judged as outside content', async () => {
  const policy = watching();
  const hook = {
    name: 'hook',
    stream: () => answerParts({ calls: [{ name: 'destroy' }], openWorld: true }),
  };
  const model = withMiddleware(scriptedModel([]), hook);
  const played = play(model, [destroy], { policy, limits: { steps: 1 } });
  await played.result;
  expect(policy.seen[0]).toEqual(['destroy', true]);
});

it('a run that goes on in another process does not know that it was tainted, if no result says so', async () => {
  const before: Message[] = [
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 0 },
    {
      id: '2',
      role: 'assistant',
      runId: 'before',
      parts: [{ type: 'tool-call', callId: 'a', name: 'destroy', input: {}, executedBy: 'us' }],
      createdAt: 0,
      tainted: true,
    },
  ];
  const policy = watching();
  const resumed = resume({
    model: scriptedModel([{}]),
    toolset: toolsetOf([destroy]),
    thread: memoryThread(before),
    policy,
  });
  await resumed.result;
  expect(policy.seen).toEqual([['destroy', true]]);
});

it('a question says which outside content may have led to the call', async () => {
  const played = play([{ calls: [{ name: 'fetch' }] }, { calls: [{ name: 'destroy' }] }, {}], [fetchPage, destroy], {
    policy: (request) => (request.name === 'destroy' ? permissions('outward')(request) : 'allow'),
  });
  const { questionId, taintedBy } = await until(played, 'approval-request');
  expect(taintedBy).toEqual(['fetch']);
  played.answer(questionId, 'deny');
  await played.result;
  expect((await eventsOf(played)).at(-1)?.type).toBe('run-end');
});

it('the next run did not know outside content from a call whose turn had failed', async () => {
  const [begun, rest] = [gate(), gate()];
  const slow = tool('fetch', { openWorld: true, execute: async () => (begun.open(), await rest, 'a page') });
  const broken = begun.then(() => Promise.reject(new Error('The connection broke.')));
  const thread = memoryThread();
  const failing = play(streamedModel([() => [call('1', 'fetch'), broken]]), [slow], { thread });
  await broken.catch(() => undefined);
  rest.open();
  expect((await failing.result).status).toBe('error');
  expect(resultsOf(thread.log)).toMatchObject([{ output: 'a page', openWorld: true }]);
  const policy = watching();
  await play(destroying, [destroy], { policy, thread }).result;
  expect(policy.seen).toEqual([['destroy', true]]);
});
