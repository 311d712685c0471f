import type { Message, RunEvent } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { foldRun, noRun, noticeOf, rowsOf, threadView } from './index.ts';
import type { LiveRun, MessageView } from './index.ts';

const says = (id: string, role: Message['role'] = 'assistant'): Message => ({ id, role, parts: [], createdAt: 0 });

const liveWith = (...ids: readonly string[]): LiveRun =>
  ids.reduce<LiveRun>(
    (live, id) => foldRun(live, { type: 'message', message: says(id), runId: 'r', seq: live.seq + 1, time: 0 }),
    noRun,
  );

function idsOf(stored: readonly Message[], live: LiveRun): readonly (string | undefined)[] {
  const rows = rowsOf(threadView(stored), live);
  return Array.from({ length: rows.length }, (_, index) => rows.at(index)?.id);
}

describe('rowsOf', () => {
  it('puts the messages of a run after the stored ones, and in place of its own stored messages', () => {
    expect(idsOf([says('a'), says('b')], noRun)).toEqual(['a', 'b']);
    expect(idsOf([says('a'), says('b')], liveWith('c', 'd'))).toEqual(['a', 'b', 'c', 'd']);
    expect(idsOf([says('a'), says('b')], liveWith('b', 'c'))).toEqual(['a', 'b', 'c']);
    expect(idsOf([says('a'), says('b'), says('c')], liveWith('b'))).toEqual(['a', 'b', 'c']);
  });

  it('shows what the run knows', () => {
    const live = liveWith('a');
    const rows = rowsOf(threadView([says('a')]), live);
    expect(rows.at(0)).toBe(live.messages[0]);
    expect([rows.indexOf('a'), rows.indexOf('b'), rows.at(1)]).toEqual([0, -1, undefined]);
  });

  it('shows how far calls of earlier messages are', () => {
    const made: Message = {
      ...says('a'),
      parts: [{ type: 'tool-call', callId: 'x', name: 'look', input: {}, executedBy: 'us' }],
    };
    const started = { type: 'tool-start', callId: 'x', name: 'look', input: {}, title: 'Look' } as const;
    const event: RunEvent = { ...started, effects: 'read', repairs: [], runId: 'r', seq: 0, time: 0 };
    const view: MessageView | undefined = rowsOf(threadView([made]), foldRun(noRun, event)).at(0);
    expect(view?.items).toMatchObject([{ call: { status: 'running', title: 'Look' } }]);
  });
});

describe('noticeOf', () => {
  const ended = (more: Partial<LiveRun>): ReturnType<typeof noticeOf> => noticeOf({ ...noRun, ...more });

  it('says how a run ended, where it did not end as it should', () => {
    expect([ended({ status: 'running' }), ended({ status: 'complete' }), noticeOf(noRun)]).toEqual(
      Array.from({ length: 3 }),
    );
    expect(ended({ status: 'limit', limit: 'time' })?.text).toBe('This answer reached its time limit.');
    expect(ended({ status: 'error', error: { code: 'run_failed', message: 'It is away.' } })).toMatchObject({
      text: 'Something went wrong. Try again.',
      details: 'It is away.',
    });
    expect(ended({ status: 'error', error: { code: 'model_rate_limited', message: '429' } })?.text).toContain('Wait');
    expect(ended({ status: 'refused' })).toMatchObject({ kind: 'refused', canContinue: false });
  });

  it('adds that the conversation is damaged to another ending, unless that has its own details', () => {
    const damage = { code: 'record_corrupt', message: 'It is damaged.' } as const;
    expect(ended({ status: 'aborted', damage })).toMatchObject({ kind: 'aborted', details: 'It is damaged.' });
    const error = { code: 'run_failed', message: 'It is away.' } as const;
    expect(ended({ status: 'error', error, damage })?.details).toBe('It is away.');
    expect(ended({ status: 'aborted', error })?.details).toBeUndefined();
  });
});
