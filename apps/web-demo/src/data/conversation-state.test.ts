import type { Message, Run } from '@utensil/core';
import { expect, it } from 'vitest';
import { stateOf } from './conversation-state.ts';
import { branchAt, questionOf, tipBefore, withOther, withStored } from './shown-branch.ts';

const message = (id: string, role: Message['role'], parentId: string | null): Message => ({
  id,
  role,
  parentId,
  parts: [],
  createdAt: 0,
});

/** Question A and its answer, question B and its answer, and question C in place of A. */
const all = [
  message('A', 'user', null),
  message('to A', 'assistant', 'A'),
  message('B', 'user', 'to A'),
  message('to B', 'assistant', 'B'),
  message('C', 'user', null),
];

const idsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ id }) => id);

it('shows no message of another branch before and after a question is edited', () => {
  const shown = branchAt(all, 'to B');
  expect(tipBefore(shown, 'A')).toBeNull();
  expect(branchAt(all, tipBefore(shown, 'A')).messages).toEqual([]);
  expect(tipBefore(shown, 'B')).toBe('to A');
  expect(questionOf(shown, 'to B')).toBe('B');
  expect(idsOf(withOther(shown, 'A', 1)?.messages ?? [])).toEqual(['C']);
  expect(withOther(shown, 'A', 2)).toBeUndefined();
});

it('stays on its branch when another tab stores messages, and follows it', () => {
  const shown = branchAt(all.slice(0, 2), 'to A');
  expect(idsOf(withStored(shown, all).messages)).toEqual(['A', 'to A', 'B', 'to B']);
  expect(idsOf(withStored(branchAt(all, 'gone'), all).messages)).toEqual(['C']);
  expect(idsOf(withStored(branchAt([], undefined), all).messages)).toEqual(['C']);
});

it('leaves out the run of another branch, and offers to continue an unanswered question only', () => {
  const run = {} as Run;
  const quiet = {
    isRunning: false,
    isAnsweredElsewhere: false,
    owner: undefined,
    problem: undefined,
    reason: undefined,
    stoppedAt: undefined,
  };
  const ran = { run, tip: 'to B' };
  expect(stateOf({ ...quiet, ran, branch: branchAt(all, 'to B') })).toMatchObject({ run, isUnfinished: false });
  expect(stateOf({ ...quiet, ran: { run, tip: 'to A' }, branch: branchAt(all, 'to B') }).run).toBeUndefined();
  const other = { ...quiet, ran, branch: branchAt(all, 'C') };
  expect(stateOf(other)).toMatchObject({ run: undefined, isUnfinished: true, showsNewest: true });
  expect(stateOf({ ...other, isRunning: true })).toMatchObject({ run, isUnfinished: false });
  expect(stateOf({ ...other, isAnsweredElsewhere: true }).isUnfinished).toBe(false);
});

it('was stopped only where the shown branch ends with the message that a person stopped', () => {
  const facts = {
    isRunning: false,
    isAnsweredElsewhere: false,
    owner: undefined,
    problem: undefined,
    reason: undefined,
    ran: undefined,
  };
  const stoppedAt = 'to B';
  expect(stateOf({ ...facts, stoppedAt, branch: branchAt(all, 'to B') }).wasStopped).toBe(true);
  expect(stateOf({ ...facts, stoppedAt, branch: branchAt(all, 'C') }).wasStopped).toBe(false);
  expect(stateOf({ ...facts, stoppedAt: undefined, branch: branchAt([], null) }).wasStopped).toBe(false);
});
