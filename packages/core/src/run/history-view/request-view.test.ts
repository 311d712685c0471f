import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrangeHistory } from '../../model/arrangement.ts';
import { textOf } from '../../model/message.ts';
import type { Message, Part, TextPart } from '../../model/message.ts';
import { estimateAll } from './estimate.ts';
import { requestView } from './request-view.ts';
import type { RequestViewOptions } from './request-options.ts';

const message = (id: string, role: Message['role'], ...parts: readonly Part[]): Message => ({
  id,
  role,
  parts,
  createdAt: 0,
});
const say = (id: string, role: 'user' | 'assistant', text = id): Message => message(id, role, { type: 'text', text });

/** A file in a version, with `length` characters. */
const file = (key: string, etag: string, length: number): TextPart => ({
  type: 'text',
  text: `<${key} ${etag}>`.padEnd(length, '.'),
  resource: { key, etag },
});

/** A turn that reads, and its result. */
const read = (id: string, content: TextPart): readonly Message[] => [
  message(`${id}.call`, 'assistant', { type: 'tool-call', callId: id, name: 'read', input: {}, executedBy: 'us' }),
  message(`${id}.result`, 'tool', {
    type: 'tool-result',
    callId: id,
    name: 'read',
    output: null,
    modelParts: [content],
    isError: false,
  }),
];

const ids = (messages: readonly Message[]): string => messages.map(({ id }) => id).join(' ');
const resultsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [textOf(part.modelParts)] : [])),
  );

/** Turns in which files are read repeatedly, and sometimes change in between. */
function exchanges(count: number, length: number): readonly Message[] {
  return Array.from({ length: count }, (_, at) => [
    say(`q${at}`, 'user'),
    ...read(`r${at}`, file(`file ${at % 5 < 2 ? at % 2 : at}`, `v${Math.floor(at / 20)}`, length)),
    say(`a${at}`, 'assistant'),
  ]).flat();
}

/** The requests of a thread, as it grows. */
function requestsOf(history: readonly Message[]): readonly (readonly Message[])[] {
  return history.flatMap(({ role }, index) => (role === 'assistant' ? [history.slice(0, index)] : []));
}

/** Number of requests that do not begin with the previous request. */
function breaks(views: readonly (readonly Message[])[]): number {
  return views.filter((view, at) => at > 0 && !views[at - 1]?.every((each, index) => each === view[index])).length;
}

it('shows a history that fits unchanged, at once', () => {
  const history = [say('1', 'user'), ...read('2', file('a', 'v1', 50))];
  for (const options of [{}, { contextWindow: 10_000, lastInputTokens: 4_000 }]) {
    const view = requestView(history, options);
    expect(view instanceof Promise ? [] : view.messages.map((each, index) => each === history[index])).toEqual([
      true,
      true,
      true,
    ]);
  }
});

it('a thread of 200 turns changes what requests begin with only if it is compacted', async () => {
  const history = exchanges(200, 400);
  const options = { contextWindow: 10_000 };
  const views = await Promise.all(requestsOf(history).map(async (each) => (await requestView(each, options)).messages));
  const compactions = new Set(views.flatMap((view) => view.filter(({ id }) => id.endsWith('left-out')))).size;
  expect([breaks(views), compactions]).toEqual([3, 3]);
  expect(Math.max(...views.map(estimateAll))).toBeLessThanOrEqual(9_000);
});

it('follows what the provider counts, and stays where it has cut for as long as it is told', async () => {
  const history = exchanges(200, 400);
  const views: (readonly Message[])[] = [];
  let known: RequestViewOptions = {};
  for (const request of requestsOf(history)) {
    const view = await requestView(request, { contextWindow: 10_000, ...known });
    const counted = Math.round(estimateAll(view.messages) * 1.5) + 500;
    views.push(view.messages);
    expect(counted).toBeLessThanOrEqual(10_000);
    known = { lastInputTokens: counted, compactedBefore: view.compactedBefore };
  }
  expect(breaks(views)).toBeLessThan(8);
  const resumed = await requestView(history, { compactedBefore: known.compactedBefore });
  expect(ids(resumed.messages)).toContain(`q0 ${known.compactedBefore}/left-out ${known.compactedBefore} `);
});

it('[A2-03] shows repeated content once, and keeps the bytes that requests begin with', async () => {
  const history = exchanges(100, 2_000); // two in five read again what was read; each file changes every 20 turns
  const views = await Promise.all(
    requestsOf(history).map(async (each) => (await requestView(each, { contextWindow: 35_000 })).messages),
  );
  let same = 0;
  let all = 0;
  for (const [at, view] of views.entries()) {
    const [text, before] = [JSON.stringify(view).slice(0, -1), JSON.stringify(views[at - 1] ?? []).slice(0, -1)];
    all += before.length;
    same += text.startsWith(before) ? before.length : 0;
  }
  expect(breaks(views)).toBe(1);
  expect(same / all).toBeGreaterThan(0.95);
  const last = resultsOf(views.at(-1) ?? []);
  const full = last.filter((text) => text.startsWith('<'));
  expect(new Set(full).size).toBe(full.length);
  expect(last.length - full.length).toBeGreaterThan(10);
});

it('[S2-39] of a prompt that is too long loses the largest results first, then all but the newest exchange', async () => {
  const history = [
    say('1', 'user', 'first'.repeat(1_000)),
    ...read('2', file('a', 'v', 1_000)),
    ...read('3', file('b', 'v', 9_000)),
    ...read('4', file('c', 'v', 7_000)),
    say('5', 'assistant'),
    say('6', 'user'),
    ...read('7', file('d', 'v', 150)),
    ...read('8', file('e', 'v', 8_000)),
  ];
  const shown = async (shrink: number): Promise<readonly string[]> => {
    const { messages } = await requestView(history, { shrink });
    return [ids(messages), ...resultsOf(messages).map((text) => text.slice(0, 4))];
  };
  expect((await shown(0)).slice(1)).toEqual(['<a v', '<b v', '<c v', '<d v', '<e v']);
  expect((await shown(1)).slice(1)).toEqual(['<a v', 'Tool', 'Tool', '<d v', '<e v']);
  expect((await shown(2)).slice(1)).toEqual(['Tool', 'Tool', 'Tool', '<d v', 'Tool']);
  expect(await shown(3)).toEqual(['6/left-out 6 7.call 7.result 8.call 8.result', '<d v', 'Tool']);
  expect(await shown(4)).toEqual(['6 8.call/left-out 8.call 8.result', 'Tool']);
});

it('omits every copy of an output that is too large, and does not call one a repetition of another', async () => {
  const again = [1, 2, 3].flatMap((at) => read(`${at}`, file('a', 'v', 5_000)));
  const history = [say('0', 'user'), ...again, ...read('4', file('b', 'v', 1_000))];
  const { messages } = await requestView(history, { shrink: 1 });
  expect(resultsOf(messages).map((text) => text.slice(0, 4))).toEqual(['Tool', 'Tool', 'Tool', '<b v']);
});

it('omits the same results from the requests behind one that was too long', async () => {
  const history = exchanges(10, 2_000);
  const before = await requestView(history, { shrink: 1, shrunkAt: 'a9' });
  const after = await requestView([...history, say('q10', 'user'), ...read('r10', file('big', 'v', 9_000))], {
    shrink: 1,
    shrunkAt: 'a9',
  });
  expect(breaks([before.messages, after.messages])).toBe(0);
  expect(resultsOf(after.messages).at(-1)).toHaveLength(9_000);
});

const anyRead = fc
  .record({ key: fc.constantFrom('a', 'b', 'c'), etag: fc.constantFrom('1', '2'), length: fc.constantFrom(300, 3_000) })
  .map(({ key, etag, length }) => file(`${key}${length}`, etag, length));
const anyHistory = fc
  .array(fc.tuple(fc.boolean(), anyRead), { maxLength: 14 })
  .map((all) => [
    say('start', 'user'),
    ...all.flatMap(([isAsked, content], at) => [
      ...(isAsked ? [say(`q${at}`, 'user')] : []),
      ...read(`${at}`, content),
    ]),
  ]);
const anyOptions: fc.Arbitrary<RequestViewOptions> = fc.record(
  {
    repeats: fc.constantFrom('first', 'newest', 'all'),
    contextWindow: fc.integer({ min: 100, max: 6_000 }),
    lastInputTokens: fc.nat(6_000),
    shrink: fc.nat(5),
    compactedBefore: fc.constantFrom('start', 'q3', '4.call', 'nobody'),
    shrunkAt: fc.constantFrom('2.result', '5.result', 'nobody'),
  },
  { requiredKeys: [] },
);

it('any omission leaves a valid request, without dangling references and duplicates', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, anyOptions, async (history, options) => {
      const { messages } = await requestView(history, options);
      expect(arrangeHistory(messages)).toEqual(messages);
      expect(messages.at(-1)?.id).toBe(history.at(-1)?.id);
      const results = resultsOf(messages);
      const full = results.filter((text) => text.startsWith('<'));
      expect(options.repeats === 'all' ? full.length : new Set(full).size).toBe(full.length);
      const pointedAt = results.flatMap((text) => /^>>>>> (\w+) /.exec(text)?.slice(1) ?? []);
      expect(pointedAt.filter((key) => !full.some((text) => text.startsWith(`<${key} `)))).toEqual([]);
    }),
  );
});

it('[D2-04] any thread, as it grows within its window, begins as it did, whatever it repeats', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.integer({ min: 1_000, max: 20_000 }), async (history, contextWindow) => {
      const views = await Promise.all(
        requestsOf(history).map(async (each) => (await requestView(each, { contextWindow })).messages),
      );
      const compactions = new Set(views.flatMap((view) => view.filter(({ id }) => id.endsWith('left-out')))).size;
      expect(breaks(views)).toBe(compactions);
    }),
  );
});
