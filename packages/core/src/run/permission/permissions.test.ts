import { expect, it } from 'vitest';
import { emptySettings } from '../../settings/settings.ts';
import { withoutGrant } from '../../settings/stored-grants.ts';
import type { Settings } from '../../settings/settings.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import { memoryGrants } from './grants.ts';
import { settingsGrants } from './settings-grants.ts';
import { permissions } from './policy.ts';
import type { PermissionTier } from './policy.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import type { Run } from '../run.ts';
import { eventsOf, memoryThread, play, resultsOf, testSeals, tool, until } from '../../test-kit/runs.ts';
import { messagesOf } from '../../thread/messages.ts';

/** Answers every question of a run, and returns the questions. */
async function answering(played: Run, answer: QuestionAnswer): Promise<readonly string[]> {
  const asked: string[] = [];
  for await (const event of played.events()) {
    if (event.type !== 'approval-request') continue;
    asked.push(event.name);
    played.answer(event.questionId, answer);
  }
  return asked;
}

const tools = [
  tool('read'),
  tool('write', { effects: 'write' }),
  tool('destroy', { effects: 'destructive' }),
  tool('fetch', { openWorld: true }),
  tool('post', { effects: 'write', openWorld: true }),
];
const names = tools.map(({ name }) => name);
const calls = names.map((name) => ({ name }));

it.each<[PermissionTier, readonly string[]]>([
  ['bypass', []],
  ['outward', ['fetch', 'post']],
  ['write', ['write', 'destroy', 'fetch', 'post']],
  ['all', names],
])('[S2-38] the tier %s asks before %j', async (tier, asked) => {
  const played = play([{ calls }, {}], tools, { policy: permissions(tier) });
  expect(await answering(played, 'once')).toEqual(asked);
  const { messages } = await played.result;
  expect(resultsOf(messages).every(({ isError }) => !isError)).toBe(true);
});

it('[S2-38] an answer for the run holds for the run, of the same tool and no other', async () => {
  const script = [{ calls: [{ name: 'write' }] }, { calls: [{ name: 'write' }, { name: 'destroy' }] }, {}];
  const played = play(script, tools, { policy: permissions('write') });
  expect(await answering(played, 'run')).toEqual(['write', 'destroy']);
  const again = play(script, tools, { policy: permissions('write') });
  expect(await answering(again, 'run')).toEqual(['write', 'destroy']);
});

it('an answer for always holds in later runs, until the tool changes or the user takes it back', async () => {
  let settings: Settings = emptySettings;
  const store = {
    current: () => settings,
    update: async (change: (before: Settings) => Settings) => (settings = change(settings)),
  };
  const grants = settingsGrants(store, { seals: testSeals, scope: 'p' });
  const ask = async (effects: 'write' | 'destructive' = 'write'): Promise<readonly string[]> =>
    answering(
      play([{ calls: [{ name: 'write' }] }, {}], [tool('write', { effects })], {
        policy: permissions('write'),
        grants,
      }),
      'always',
    );
  expect(await ask()).toEqual(['write']);
  expect(await ask()).toEqual([]);
  expect(await ask('destructive')).toEqual(['write']);
  settings = withoutGrant(settings, 'write');
  expect(await ask('destructive')).toEqual(['write']);
  expect(settings.tools['write']?.grants).toMatchObject([
    { toolFingerprint: expect.stringMatching(/^[0-9a-f]{32}$/), scope: 'p' },
  ]);
});

it('rejects the answer `always` if nothing could store it', async () => {
  const played = play([{ calls: [{ name: 'write' }] }, {}], tools, { policy: permissions('write') });
  const { questionId } = await until(played, 'approval-request');
  expect(() => played.answer(questionId, 'always')).toThrow("answer 'run' instead");
  played.answer(questionId, 'deny');
  expect((await played.result).status).toBe('complete');
});

it('asks again despite grants once untrusted content may have caused an irreversible or outward call', async () => {
  const grants = memoryGrants();
  const script = [
    { calls: [{ name: 'destroy' }, { name: 'post' }, { name: 'write' }] },
    { calls: [{ name: 'fetch' }] },
    { calls: [{ name: 'destroy' }, { name: 'post' }, { name: 'write' }, { name: 'fetch' }] },
    {},
  ];
  const played = play(script, tools, { policy: permissions('write'), grants });
  const asked = await answering(played, 'always');
  expect(asked).toEqual(['destroy', 'post', 'write', 'fetch', 'destroy', 'post']);
});

it('what came from outside before taints a later run of the thread', async () => {
  const thread = memoryThread();
  await play([{ calls: [{ name: 'fetch' }] }, {}], tools, { thread }).result;
  const seen: boolean[] = [];
  await play([{ calls: [{ name: 'read' }] }, {}], tools, {
    thread,
    policy: ({ tainted }) => (seen.push(tainted), 'allow'),
  }).result;
  expect(seen).toEqual([true]);
});

it('shows the effect of a call, and lets the user change it before it runs', async () => {
  const ran: unknown[] = [];
  const save = tool('save', {
    effects: 'write',
    execute: (input) => void ran.push(input),
    preview: (input) => ({
      type: 'changes',
      changes: [{ path: '/a', before: 'old', after: (input as { text: string }).text }],
    }),
  });
  const thread = memoryThread();
  const played = play([{ calls: [{ name: 'save', input: { text: 'new' } }] }, {}], [save], {
    policy: permissions('write'),
    thread,
  });
  const { questionId, preview } = await until(played, 'approval-request');
  expect(preview).toEqual({ type: 'changes', changes: [{ path: '/a', before: 'old', after: 'new' }] });
  played.answer(questionId, { input: { text: 'newer' } });
  const { messages } = await played.result;
  expect(ran).toEqual([{ text: 'newer' }]);
  expect(messages[1]?.parts[0]).toMatchObject({ type: 'tool-call', input: { text: 'newer' } });
  expect(await messagesOf(thread)).toEqual(messages);
});

it('an internal tool that only reads ran though the policy denied it', async () => {
  const ran: string[] = [];
  const look = tool('look', { internal: true, execute: () => ran.push('look') });
  const calls = [{ calls: [{ name: 'look' }] }, {}];
  const failing = (): never => {
    throw new Error('no rules');
  };
  for (const policy of [() => 'deny' as const, () => ({ deny: 'not here' }), failing]) {
    const { messages } = await play(calls, [look], { policy }).result;
    expect(resultsOf(messages)[0]).toMatchObject({
      isError: true,
      output: expect.stringContaining('denied by policy'),
    });
  }
  const through = tool('through', { execute: async (_input, _options, { call }) => (await call('look', {})).code });
  const nested = play([{ calls: [{ name: 'through' }] }, {}], [look, through], {
    policy: ({ name }) => (name === 'look' ? 'deny' : 'allow'),
  });
  expect(resultsOf((await nested.result).messages)[0]?.output).toBe('tool_denied');
  expect(ran).toEqual([]);
});

it('nobody is asked about an internal tool that only reads, also if nobody could be', async () => {
  const look = tool('look', { internal: true });
  const change = tool('change', { internal: true, effects: 'write' });
  const played = play([{ calls: [{ name: 'look' }, { name: 'change' }] }, {}], [look, change], {
    policy: permissions('all'),
    interactive: false,
  });
  expect(resultsOf((await played.result).messages).map(({ isError }) => isError)).toEqual([false, true]);
});

it('asks all the same where a preview fails', async () => {
  const save = tool('save', {
    effects: 'write',
    preview: () => {
      throw new Error('no preview');
    },
  });
  const played = play([{ calls: [{ name: 'save' }] }, {}], [save], { policy: permissions('write') });
  const request = await until(played, 'approval-request');
  expect(request).not.toHaveProperty('preview');
  played.answer(request.questionId, 'once');
  expect((await played.result).status).toBe('complete');
});

it('a new message counts as no approval: the call is answered, and the model reads both', async () => {
  let saved = 0;
  const save = tool('save', { effects: 'write', execute: () => saved++ });
  const played = play([{ calls: [{ name: 'save' }] }, { text: 'Fine.' }], [save], { policy: permissions('write') });
  const { questionId } = await until(played, 'approval-request');
  played.send('Leave it, tell me a joke.');
  const { status, text, messages } = await played.result;
  expect([status, text, saved]).toEqual(['complete', 'Fine.', 0]);
  expect(resultsOf(messages)[0]?.output).toContain('the user did not approve it, and wrote a new message instead');
  expect(played.model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(() => played.answer(questionId, 'once')).toThrow('is not open');
});

it('a question that an earlier run left open is answered by the next message too, in the thread', async () => {
  const thread = memoryThread();
  const save = tool('save', { effects: 'write' });
  const first = play([{ calls: [{ name: 'save' }] }], [save], { policy: permissions('write'), thread });
  await until(first, 'approval-request');
  first.stop();
  expect((await first.result).status).toBe('needs-approval');
  const second = play([{ text: 'Fine.' }], [save], { thread, messages: 'Something else.' });
  await second.result;
  const kept = await messagesOf(thread);
  expect(kept.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
  expect(resultsOf(kept)[0]?.output).toContain('did not approve it');
  expect(second.model.requests[0]?.messages).toEqual(kept.slice(0, 4));
});

it('reports an answer, and whose call it was', async () => {
  const played = play([{ calls: [{ name: 'write' }] }, {}], tools, { policy: permissions('write') });
  const { questionId, callId } = await until(played, 'approval-request');
  played.answer(questionId, 'once');
  const answer = (await eventsOf(played)).find(({ type }) => type === 'approval-answer');
  expect(answer).toMatchObject({ callId, answer: 'once' });
});

it('a call whose input the user had changed kept the title, and the repairs, of the input before', async () => {
  const thread = memoryThread();
  const save = tool('save', {
    effects: 'write',
    input: jsonSchema({
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'string' } } },
    }),
    render: { title: 'Save {path}' },
  });
  const script = [{ calls: [{ name: 'save', input: { path: '/old', lines: 'one' } }] }, {}];
  const played = play(script, [save], { thread, policy: () => 'ask' });
  const asked = await until(played, 'approval-request');
  expect(asked.title).toBe('Save /old');
  played.answer(asked.questionId, { input: { path: '/new', lines: ['one'] } });
  expect(await until(played, 'tool-start')).toMatchObject({ title: 'Save /new' });
  const { messages } = await played.result;
  const part = { title: 'Save /new', input: { path: '/new', lines: ['one'] } };
  for (const stored of [messages, await messagesOf(thread)]) {
    expect(stored[1]?.parts[0]).toMatchObject(part);
    expect(stored[1]?.parts[0]).not.toHaveProperty('repairs');
  }
});
