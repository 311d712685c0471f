import { join } from 'node:path';
import process from 'node:process';
import { textOf } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { stdioServer } from '../node/index.ts';
import { deferred } from '../test-kit/served.ts';
import { mounted, until } from '../test-kit/sources.ts';
import type { McpAnswer, McpAskContext, McpQuestion } from './index.ts';
import { answersTo } from './rounds.ts';
import type { AskingCall } from './rounds.ts';

const insistent = () =>
  stdioServer({ command: process.execPath, args: [join(import.meta.dirname, '../test-kit/insistent-server.ts')] });

/** A person who is asked by the server, and declines. */
async function visited(
  name: string,
  answer: (context: McpAskContext) => McpAnswer | Promise<McpAnswer> = () => 'decline',
) {
  const asked: McpQuestion[] = [];
  const made = await mounted(insistent(), {
    ask(question, context) {
      asked.push(question);
      return answer(context);
    },
  });
  const { modelParts } = await made.call(`x_${name}`);
  return { ...made, asked, said: textOf(modelParts) };
}

describe('a server that asks the person', () => {
  it('while no call waits for it is declined', async () => {
    const { asked, said, problems, unmount } = await visited('early');
    await unmount();
    expect(asked).toEqual([]);
    expect(said).toContain('"action":"decline"');
    expect(problems.join()).toContain('no call waits for it');
  });

  it('thirty times in one call is heard ten times, without invisible characters', async () => {
    const { asked, said, unmount } = await visited('many');
    await unmount();
    expect(asked).toHaveLength(10);
    expect(asked.map(({ message }) => message)).toContain('Your password?');
    expect(said.match(/"action":"decline"/g)).toHaveLength(31); // the one before the call too
  });

  it('and ends its call without an answer is waited for no more', async () => {
    const given = deferred<McpAnswer>();
    let signal: AbortSignal | undefined;
    const { unmount } = await visited('hasty', (context) => ((signal = context.signal), given.promise));
    await until(() => signal?.aborted === true, 'the question was withdrawn');
    expect(signal?.reason).toMatchObject({ message: 'The call is over.' });
    given.resolve('decline');
    await unmount();
  });

  it.each([
    ['user-info', 'has a name before its host'],
    ['endless', 'is too long'],
  ])('to open a page that misleads is declined: %s', async (name, problem) => {
    const { asked, problems, unmount } = await visited(name);
    await unmount();
    expect(asked).toEqual([]);
    expect(problems.join()).toContain(problem);
  });

  it('to open a page whose letters look like others shows the host as it is looked up', async () => {
    const { asked, unmount } = await visited('look-alike');
    await unmount();
    expect(asked).toMatchObject([{ url: 'https://xn--exmple-4nf.com/' }]);
  });
});

describe('a round of questions', () => {
  const asking = async (requests: Record<string, object>, state = '') => {
    let asked = 0;
    const call: AskingCall = {
      callId: 'c1',
      signal: new AbortController().signal,
      isParked: false,
      sampled: 0,
      asked: 0,
      call: () => Promise.reject(new Error('no')),
    };
    const ask = (): McpAnswer => (asked++, 'decline');
    const error = await answersTo({ requests: requests as never, state }, { ask }, { server: 'x', call }).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    return { asked, error };
  };
  const question = { method: 'elicitation/create', params: { message: 'Why?', requestedSchema: { type: 'object' } } };

  it('has ten at most', async () => {
    const requests = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`q${n}`, question]));
    expect(await asking(requests)).toEqual({
      asked: 10,
      error: 'The server asked more than 10 questions in one call.',
    });
  });

  it('is no longer than a thread may keep', async () => {
    const { asked, error } = await asking({ q: question }, 'x'.repeat(300_000));
    expect(asked).toBe(0);
    expect(error).toContain('262144 are allowed');
  });
});
