import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { logKey, logNumber, recordFile } from '../../files/record-key.ts';
import { createRecords } from '../../records/records.ts';
import { scriptedModel } from '../../testing/index.ts';
import { gate, resultsOf, tool, toolsetOf } from '../../test-kit/runs.ts';
import { openThread } from '../../thread/open-thread.ts';
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
