import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { compileTool } from '../../call/compile.ts';
import { fingerprintOf } from '../../call/tool-fingerprint.ts';
import { logKey, logNumber, recordFile } from '../../files/record-key.ts';
import { createRecords } from '../../records/records.ts';
import { scriptedModel } from '../../testing/index.ts';
import { gate, resultsOf, testSeals, tool, toolsetOf } from '../../test-kit/runs.ts';
import { openThread } from '../../thread/open-thread.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { memoryThread } from '../../thread/memory-thread.ts';
import type { ThreadEntry } from '../../thread/entry.ts';
import type { Thread } from '../../thread/thread.ts';
import type { Tool } from '../../tool/tool.ts';
import type { ResumeOptions } from '../run.ts';
import { resume, run } from '../lazy-run.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A thread whose process ended during its second call that changes something, and the records of its log. */
async function interrupted() {
  const storage = memoryStorage();
  const stuck = gate();
  let calls = 0;
  const pay = tool('pay', { effects: 'write', execute: () => (++calls === 2 ? stuck : 'paid') });
  const script = [{ calls: [{ name: 'pay' }] }, { calls: [{ name: 'pay' }] }];
  const model = scriptedModel(script);
  const common = { model, toolset: toolsetOf([pay]), policy: () => 'allow' as const, limits: { repeats: Infinity } };
  const running = run({ ...common, messages: 'Pay.', thread: openThread(createRecords(storage), 'a') });
  let started = 0;
  for await (const { type } of running.events()) if (type === 'tool-start' && ++started === 2) break;
  const records = new Map<number, string>();
  for await (const { key } of createRecords(storage).list(['threads', 'a', 'messages'])) {
    const content = (await storage.read({ tree: 'records', path: recordFile(key) }))?.content;
    records.set(logNumber(key) ?? 0, new TextDecoder().decode(content));
  }
  running.abort();
  return records;
}

/** Result of the next run with a log: how often it executes the call, and how often it asks before. */
async function goOn(records: ReadonlyMap<number, string>, message?: string) {
  const storage = memoryStorage();
  for (const [number, text] of records) {
    const key = logKey(['threads', 'a', 'messages'], number);
    await createRecords(storage).put(key, null);
    const change = { type: 'write', tree: 'records', path: recordFile(key), content: encode(text) } as const;
    await storage.commit({ expect: [], changes: [change], time: 1 });
  }
  let executed = 0;
  const pay = tool('pay', { effects: 'write', execute: () => ++executed });
  const given = {
    toolset: toolsetOf([pay]),
    policy: () => 'allow' as const,
    model: scriptedModel([{ text: 'Done.' }]),
  };
  const thread = openThread(createRecords(storage), 'a');
  const next = message === undefined ? resume({ ...given, thread }) : run({ ...given, thread, messages: message });
  let asked = 0;
  for await (const { type } of next.events()) {
    if (type !== 'recovery-request') continue;
    asked++;
    next.stop();
  }
  const told = resultsOf(given.model.requests[0]?.messages ?? []).map(({ code }) => code);
  return { executed, asked, told };
}

it('a call whose beginning is lost, but not its turn, was executed a second time without a question', async () => {
  const records = await interrupted();
  const [last = 0, text = ''] = [...records].at(-1) ?? [];
  expect(text).toContain('"call-begun"');
  const begun = text.indexOf('"call-begun"');
  const damages = [
    text.replace('"call-begun"', '"call-begun'),
    text.replace('"call-begun"', '\n'),
    `${text.slice(0, begun)}\0\0\0\0`,
    ...Array.from(text, (_, at) => text.slice(0, at)).filter((_, at) => at > begun - 20 || at % 10 === 0),
  ];
  for (const damaged of damages) {
    const { executed } = await goOn(new Map([...records, [last, damaged]]));
    expect([damaged, executed]).toEqual([damaged, 0]);
  }
  const asking = damages.slice(0, 3).map((damaged) => goOn(new Map([...records, [last, damaged]])));
  expect((await Promise.all(asking)).map(({ asked }) => asked)).toEqual([1, 1, 1]);
  const { executed, told } = await goOn(new Map([...records, [last, damages[0] ?? '']]), 'Well?');
  expect([executed, told]).toEqual([0, [undefined, 'tool_interrupted']]);
});

it('a call whose beginning was removed with its record was executed a second time without a question', async () => {
  const records = await interrupted();
  const last = [...records.keys()].at(-1) ?? 0;
  const turn = records.get(last)?.split('\n')[1]?.slice(0, -1) ?? '';
  records.delete(last);
  const ended = '{"type":"run-ended","runId":"r","time":1}';
  const log = new Map([...records, [last - 1, turn], [last + 1, ended]]);
  expect(await goOn(log)).toMatchObject({ executed: 0, asked: 1 });
});

it('a beginning that was replaced by something else in JSON was no loss, and its call was executed again', async () => {
  const records = await interrupted();
  const [last = 0, text = ''] = [...records].at(-1) ?? [];
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('"call-begun"'));
  const before = [...records].findLast(([number]) => number < last)?.[1] ?? '';
  const others = [
    '{}',
    'null',
    '[]',
    '0',
    '"x"',
    'true',
    '{"type":"entries","entries":[]}',
    '{"type":"of a later version"}',
  ];
  for (const other of others) {
    const damaged = lines.with(at, other + (lines[at]?.endsWith(']}') ? ']}' : ',')).join('\n');
    expect([other, await goOn(new Map([...records, [last, damaged]]))]).toMatchObject([
      other,
      { executed: 0, asked: 1 },
    ]);
  }
  for (const whole of ['{}', before])
    expect(await goOn(new Map([...records, [last, whole]]))).toMatchObject({ executed: 0 });
});

it('a bit in a beginning was flipped, and its call was executed again', async () => {
  const records = await interrupted();
  const [last = 0, text = ''] = [...records].at(-1) ?? [];
  const from = text.indexOf('{"type":"call-begun"');
  const to = text.indexOf('\n', from);
  expect(from).toBeGreaterThan(0);
  for (let at = from; at < to; at++) {
    const flipped = String.fromCharCode(text.charCodeAt(at) ^ 1);
    const damaged = text.slice(0, at) + flipped + text.slice(at + 1);
    expect([damaged, (await goOn(new Map([...records, [last, damaged]]))).executed]).toEqual([damaged, 0]);
  }
});

const common = { createdAt: 1, runId: 'r' };
const call = (callId: string, name = 'pay') =>
  ({ type: 'tool-call', callId, name, input: {}, executedBy: 'us' }) as const;
const user: ThreadEntry = {
  type: 'message',
  message: { ...common, id: 'u', role: 'user', parts: [{ type: 'text', text: 'Pay.' }] },
};
const turn = (...calls: readonly ReturnType<typeof call>[]): ThreadEntry => ({
  type: 'message',
  message: { ...common, id: `turn-${calls[0]?.callId}`, role: 'assistant', createdAt: 10, parts: calls },
});
const begun = (callId: string, more: object = {}): ThreadEntry => ({
  type: 'call-begun',
  callId,
  runId: 'r',
  time: 20,
  ...more,
});
const asks = (kind: 'approval' | 'input', name = 'pay'): ThreadEntry => ({
  type: 'question',
  id: 'q',
  kind,
  callId: 'c',
  name,
  input: {},
  title: name,
  effects: 'write',
  runId: 'r',
  projectId: 'default',
  toolFingerprint: fingerprintOf(compileTool(tool('pay', { effects: 'write' }))),
  time: Date.now(),
});
const answers = (answer: 'deny' | { readonly output: string }): ThreadEntry => ({
  type: 'answer',
  questionId: 'q',
  answer,
  time: Date.now(),
});
const gap = 'gap';

/** A thread of these entries, of which some are missing. */
async function threadWith(
  ...entries: readonly (ThreadEntry | typeof gap)[]
): Promise<Thread & { lose(): Promise<void> }> {
  const thread = memoryThread('t');
  const lost: number[] = [];
  const lose = async (): Promise<void> =>
    void lost.push(await thread.append([{ type: 'run-begun', runId: 'r', time: 1 }]));
  for (const entry of entries)
    if (entry === gap) await lose();
    else await thread.append([entry]);
  return {
    ...thread,
    lose,
    async read(options = {}) {
      const page = await thread.read(options);
      const { after = 0 } = options;
      return { ...page, lost: lost.filter((position) => position > after) };
    },
  };
}

async function resumed(thread: Thread, more: Partial<Tool> = {}, options: Partial<ResumeOptions> = {}) {
  const executed: string[] = [];
  const pay = tool('pay', {
    effects: 'write',
    execute: (_input, _options, { callId }) => void executed.push(callId),
    ...more,
  });
  const running = resume({
    model: scriptedModel([{ text: 'Done.' }]),
    toolset: toolsetOf([pay]),
    policy: () => 'allow',
    thread,
    ...options,
  });
  const asked: string[] = [];
  for await (const { type } of running.events()) {
    if (!type.endsWith('-request')) continue;
    asked.push(type);
    setTimeout(() => running.stop(), 50); // a stored answer is taken before
  }
  const codes = resultsOf((await running.result).messages).map(({ code }) => code);
  return { executed, asked, codes };
}

it('a copy of the last turn behind a gap hid that a beginning may be in the gap', async () => {
  const stored = [user, turn(call('c')), begun('c'), turn(call('c'))].map((entry) =>
    JSON.stringify('message' in entry ? entry.message : entry),
  );
  const copied = new Map(stored.map((text, index) => [index + 1, index === 2 ? text.slice(1) : text]));
  expect(await goOn(copied)).toMatchObject({ executed: 0, asked: 1 });
});

it('a call that began before the last turn came back as open if its turn was lost', async () => {
  const old = begun('old', { time: 5, call: call('old') });
  expect(await resumed(await threadWith(user, gap, old, turn(call('c'))))).toMatchObject({
    executed: ['c'],
    asked: [],
  });
});

it('an answer that a lost beginning may have used up let a call run once more', async () => {
  const seals = testSeals;
  for (const isLost of [false, true]) {
    const thread = await threadWith(user, turn(call('c')), begun('c'));
    expect((await resumed(thread, {}, { seals })).asked).toEqual(['recovery-request']);
    const [question] = await openQuestions(thread);
    await answerQuestion(thread, { questionId: question?.id ?? '', answer: 'again', seals });
    if (isLost) await thread.lose();
    const { executed } = await resumed(thread, {}, { seals });
    expect(executed).toEqual(isLost ? [] : ['c']);
  }
});

it('a denial, and the answer of a client, stand whatever is lost behind them', async () => {
  const denied = await threadWith(user, turn(call('c')), asks('approval'), answers('deny'), gap);
  expect(await resumed(denied, {}, { policy: () => 'ask' })).toEqual({
    executed: [],
    asked: [],
    codes: ['tool_denied'],
  });
  const answered = await threadWith(user, turn(call('c')), asks('input'), answers({ output: 'blue' }), gap);
  const client = { execute: undefined as never };
  expect(await resumed(answered, client)).toEqual({ executed: [], asked: [], codes: [undefined] });
});

it('a script whose inner call may have begun is asked about instead of replayed', async () => {
  const script = { replayable: true, effects: 'read' } as const;
  const thread = [user, turn(call('c')), begun('c', { replay: 'logged' })] as const;
  expect(await resumed(await threadWith(...thread), script)).toMatchObject({ executed: ['c'], asked: [] });
  expect(await resumed(await threadWith(...thread, gap), script)).toMatchObject({
    executed: [],
    asked: ['recovery-request'],
  });
});
