import type { Question, WaitingQuestion } from '@utensil/core';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilWaiting } from './waiting.ts';
import type { OpenDetail, WaitingAnswerDetail } from './waiting.ts';

const waits = (more: Partial<WaitingQuestion> = {}): WaitingQuestion => ({
  threadId: 't1',
  id: 'q1',
  kind: 'approval',
  callId: 'c1',
  name: 'send',
  title: 'Send a letter',
  effects: 'destructive',
  runId: 'r1',
  projectId: 'default',
  time: Date.UTC(2026, 10, 16, 9, 30),
  ...more,
});

const whole = ({ threadId: _, ...question }: WaitingQuestion): Question => ({ ...question, input: { to: 'ada' } });

async function shown(more: Partial<UtensilWaiting> = {}) {
  const element = await mount(UtensilWaiting, {
    questions: [waits(), waits({ threadId: 't2', title: 'Pay the bill' })],
    titleOf: (id) => ({ t1: 'Letters' })[id],
    read: async (question) => whole(question),
    ...more,
  });
  const answers: WaitingAnswerDetail[] = [];
  const opened: OpenDetail[] = [];
  element.addEventListener('utensil-answer', (event) =>
    answers.push((event as CustomEvent<WaitingAnswerDetail>).detail),
  );
  element.addEventListener('utensil-open', (event) => opened.push((event as CustomEvent<OpenDetail>).detail));
  return { element, answers, opened };
}

it('lists what waits, where and since when, and is nothing while nothing waits', async () => {
  const { element } = await shown();
  await expect.element(page.getByRole('heading', { name: 'Needs your answer (2)' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Send a letter\s+Letters · .*2026/ })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /^Pay the bill\s+Untitled conversation/ })).toBeVisible();
  expect(await accessibilityProblems(element)).toEqual([]);
  element.questions = [];
  await element.updateComplete;
  expect(element.renderRoot.querySelector('section')).toBeNull();
});

it('leads to a conversation, by an event or a link', async () => {
  const { element, opened } = await shown();
  await page.getByRole('button', { name: /^Pay the bill/ }).click();
  expect(opened).toEqual([{ threadId: 't2' }]);
  element.hrefOf = (threadId) => `#${threadId}`;
  await element.updateComplete;
  await expect.element(page.getByRole('link', { name: /^Send a letter/ })).toHaveAttribute('href', '#t1');
});

it('takes an answer in place, and tells which conversation it is for', async () => {
  const { element, answers } = await shown();
  const answer = page.getByRole('button', { name: 'Answer: Send a letter' });
  await answer.click();
  await expect.element(page.getByText('ada')).toBeVisible();
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.getByRole('button', { name: 'Allow once' }).click();
  expect(answers).toEqual([{ threadId: 't1', questionId: 'q1', answer: 'once' }]);
  element.problem = 'Somebody else was faster.';
  await expect.element(page.getByRole('alert')).toHaveTextContent('Somebody else was faster.');
  element.questions = [waits({ threadId: 't2', title: 'Pay the bill' })];
  await expect.element(page.getByRole('heading', { name: 'Needs your answer (1)' })).toBeVisible();
});

it('leaves a question open whose answer the page prevents, and says of one that is gone that it is', async () => {
  const { element } = await shown({
    read: async ({ threadId, ...rest }) => (threadId === 't1' ? whole({ threadId, ...rest }) : undefined),
  });
  element.addEventListener('utensil-answer', (event) => event.preventDefault());
  await page.getByRole('button', { name: 'Answer: Send a letter' }).click();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await expect.element(page.getByRole('button', { name: 'Allow once' })).toBeVisible();
  await page.getByRole('button', { name: 'Answer: Pay the bill' }).click();
  await expect.element(page.getByText('This no longer needs an answer.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(page.getByText('This no longer needs an answer.')).not.toBeInTheDocument();
});

it('can be used with the keyboard alone, and keeps the focus where it was pressed', async () => {
  const { element } = await shown();
  await userEvent.keyboard('{Tab}{Tab}{Enter}');
  await expect.element(page.getByText('ada')).toBeVisible();
  expect(element.shadowRoot?.activeElement?.textContent.trim()).toBe('Close');
});

it('shows the oldest of very many, and all on demand; an invalid stored time breaks nothing', async () => {
  const questions = Array.from({ length: 300 }, (_, index) =>
    waits({ threadId: `t${index}`, title: `Letter ${index}`, time: index === 0 ? 1e300 : 1 }),
  );
  const { element } = await shown({ questions });
  const rows = (): number => element.renderRoot.querySelectorAll('li').length;
  expect(rows()).toBe(20);
  await page.getByRole('button', { name: 'Show all 300' }).click();
  expect(rows()).toBe(300);
});

it('shows what another program wrote into a title as text', async () => {
  const { element } = await shown({ questions: [waits({ title: 'Send\u202E <img src=x onerror=alert(1)>' })] });
  expect(element.renderRoot.querySelector('img')).toBeNull();
  await expect.element(page.getByText('⟨U+202E⟩')).toBeVisible();
});
