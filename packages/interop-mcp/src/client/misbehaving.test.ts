import { join } from 'node:path';
import process from 'node:process';
import { textOf } from '@utensil/core';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { stdioServer } from '../node/index.ts';
import type { misbehaviours } from '../test-kit/misbehaviours.ts';
import { mounted } from '../test-kit/sources.ts';

const program = join(import.meta.dirname, '../test-kit/misbehaving-server.ts');

/** The user's view: the tools, the problems that the app is told, and a call of `x_echo`. */
interface Seen {
  readonly names?: readonly string[];
  readonly unavailable?: string;
  readonly problem?: string;
  /** The text that the model gets. */
  readonly text?: string;
  readonly parts?: readonly string[];
  readonly output?: unknown;
  readonly isError?: boolean;
  readonly call?: string;
}

const refused = (unavailable: string): Seen => ({ names: ['x_good'], unavailable });
const failed = (text: string): Seen => ({ isError: true, text });

const seen: Readonly<Record<keyof typeof misbehaviours, Seen>> = {
  'a tool without an input schema': refused('its `inputSchema` is not an object'),
  'an input schema that is no object': refused('its `inputSchema` is not an object'),
  'an input schema that describes no object': refused('is malformed'),
  'a description that is null': refused('its `description` is malformed'),
  'a hint that is a text': refused('its `annotations.readOnlyHint` is malformed'),
  'a schema that refers to another address': refused('outside of it and is not fetched'),
  'a schema that refers to nothing': refused('which is not in it'),
  'a schema in an unknown dialect': refused('neither draft 2020-12 nor draft 7'),
  'a schema with dynamic references': refused('$dynamicRef, which is not supported'),
  'a schema nested a thousand levels deep': refused('nested more than 64 levels deep'),
  'a schema of two megabytes': refused('65536 are allowed'),
  'a schema with a pattern that backtracks': { text: '{"text"' },
  'a schema that doubles with each reference': failed(''),
  'an output schema that refers to another address': {
    problem: 'The output of the tool "echo" is not checked',
    text: '{"text"',
  },
  'two tools of one name': refused('more than one tool has this name'),
  'a tool without a name': { names: ['x_good'], problem: 'lists 3 tools without a name', call: 'x_good', text: '{}' },
  'a name that no model takes': { names: ['x__cho_the_text__'], call: 'x_good', text: '{}' },
  'a description with characters that nobody sees': { text: '{"text"' },
  'a description of a megabyte': refused('16000 are allowed'),
  'a list that is none': { names: [], problem: 'could not be listed' },
  'pages without an end': { names: ['x_good'], call: 'x_good', text: '{}' },
  'ten thousand tools': { problem: '10000 tools: 9000 are left out', call: 'x_t0', text: '{}' },
  'no tools at all, and says so': { names: [] },
  'a part of an unknown type': { text: 'of the type "video" that is malformed or unknown' },
  'ten thousand parts': { text: 'sent 10000 parts: all after the first 1000 are left out' },
  'more tools than anybody looks at': {
    problem: 'lists 10001 tools at once: only 10000 are looked at',
    call: 'x_t0',
    text: '{}',
  },
  'content that is no list': { text: '(no output)' },
  'an image that is no base64': { parts: ['text'], text: 'of the type "image" that is malformed' },
  'an image of the type text/html': { parts: ['text'], text: 'not valid' },
  'structured output that is a list': { output: [1, 2], text: '[1,2]' },
  'structured output that does not match': failed('does not match its output schema'),
  'no structured output, though it promised one': failed('structured output that it had promised'),
  'the same thing as text and as structured output': { output: { a: [2], b: 1 }, text: '{"a":[2],"b":1}' },
  'a failure without a reason': failed('did not say why'),
  'a result of a megabyte of text': { text: 'characters' },
  'a text for people alone': { text: 'seen', output: 'seen' },
  'a protocol error': failed('refused the call: Internal error at [path]'),
  'an error that is none': failed('did not end the call in its time'),
  'a result that is null': failed('did not end the call in its time'),
  'lines that are no messages': { text: '{"text"' },
  'answers to questions that nobody asked': { text: '{"text"' },
  'a call that it never answers': failed('did not end the call in its time. Whether it took effect is not known'),
  'progress without an end': failed('did not end the call in its time'),
  'an end in the middle of a call': failed('ended in the middle of the call. Whether it took effect is not known'),
  'half a message, and then an end': failed('ended in the middle of the call'),
  'an answer to another call': failed('did not end the call in its time'),
  'a question that the client has not offered to answer': { text: '-32601' },
  'an end at its start, with a reason': { names: [], problem: 'It said: API_KEY is missing.' },
  'no answer at its start': { names: [], problem: 'there was no answer in' },
  'garbage at its start': { names: [], problem: 'cannot be reached: there was no answer in' },
  'changes that it announces without an end': { text: '{"text"' },
};

/** The observed view of a server, in the words of {@link Seen}. */
async function look(
  name: string,
  { unavailable, call: called = 'x_echo', text = '', problem = '' }: Seen,
): Promise<Required<Omit<Seen, 'call'>>> {
  const server = stdioServer({ command: process.execPath, args: [program, name] });
  const limits = {
    ...(text.includes('in its time') && { callTimeMs: 500, maxCallTimeMs: 900 }), // nothing else waits for its limit
    ...(problem.includes('no answer') && { connectTimeMs: 2_000 }),
  };
  const { names, toolset, problems, call, unmount } = await mounted(server, limits);
  const usable = unavailable === undefined ? called : 'x_good'; // what is wrong with one tool costs no other
  const input = usable === 'x_echo' ? { text: 'a'.repeat(30) } : {};
  const answer = names().includes(usable) ? await call(usable, input) : undefined;
  const seen = {
    names: names().map((each) => each.replace(/_[0-9a-f]{8}$/, '')),
    unavailable: toolset()
      .unavailable.map(({ reason }) => reason)
      .join('\n'),
    problem: problems.join('\n'),
    text: textOf(answer?.modelParts ?? []),
    parts: answer?.modelParts.map(({ type }) => type) ?? [],
    output: answer?.output,
    isError: answer?.isError ?? false,
  };
  await unmount();
  return seen;
}

const arrayContaining = (names: readonly string[]): unknown => expect.arrayContaining([...names]);
const containing = (text: string): string => expect.stringContaining(text) as string;

describe('a server that does wrong', () => {
  it.each(Object.entries(seen))('with %s costs nobody more than it must', async (name, expected) => {
    const { call: _, names = [], unavailable, problem = '', text = '', isError = false, ...exact } = expected;
    const actual = await look(name, expected);
    expect(actual).toMatchObject({
      names: arrayContaining(names),
      unavailable: unavailable === undefined ? '' : containing(unavailable),
      problem: containing(problem),
      text: containing(unavailable === undefined ? text : '{'),
      isError,
      ...exact,
    });
    expect(actual.text.length).toBeLessThan(110_000);
  });

  it('keeps its tools and its connection if `onProblem` throws', async () => {
    const later: (() => void)[] = [];
    const onProblem = (): never => {
      throw new Error('no');
    };
    vi.stubGlobal('queueMicrotask', (work: () => void) => later.push(work));
    onTestFinished(() => void vi.unstubAllGlobals());
    const server = stdioServer({ command: process.execPath, args: [program, 'a tool without an input schema'] });
    const { names, source, unmount } = await mounted(server, { onProblem });
    expect([names(), source.status.state]).toEqual([['x_good'], 'ready']);
    await unmount();
    for (const work of later) expect(work).toThrow('no'); // as the error of an event target's listener
    expect(later.length).toBeGreaterThan(0);
  });
});
