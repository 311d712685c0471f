import { createRegistry, defineTool, jsonSchema } from '@utensil/core';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import type { Question } from '../view/call-view.ts';
import { UtensilApproval } from './approval.ts';
import type { AnswerDetail } from './approval.ts';

const questionOf = (more: Partial<Question> = {}): Question => ({
  kind: 'approval',
  questionId: `for ${more.callId ?? 'c1'}`,
  callId: 'c1',
  runId: 'r1',
  name: 'send',
  title: 'Send a letter',
  input: { to: 'ada@example.org', text: 'Hello' },
  effects: 'destructive',
  ...more,
});

const anything = jsonSchema({ type: 'object' });
const registry = createRegistry([
  defineTool({
    name: 'send',
    description: '',
    effects: 'destructive',
    openWorld: true,
    input: jsonSchema({ type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }),
    execute: () => '',
  }),
  defineTool({
    name: 'form',
    description: '',
    effects: 'read',
    input: anything,
    output: jsonSchema({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', maxLength: 50 },
        age: { type: 'integer', title: 'Age', description: 'In years.' },
        size: { enum: ['small', 'large'], title: 'Size' },
        sure: { type: 'boolean', title: 'Sure' },
      },
      required: ['name'],
    }),
  }),
  defineTool({
    name: 'list',
    description: '',
    effects: 'read',
    input: anything,
    output: jsonSchema({ type: 'array', items: { type: 'number' } }),
  }),
]);

/** An approval in the page, and the answers that it gives. */
async function asked(more: Partial<Question> = {}): Promise<{ element: UtensilApproval; answers: AnswerDetail[] }> {
  const element = await mount(UtensilApproval, { question: questionOf(more), registry });
  const answers: AnswerDetail[] = [];
  element.addEventListener('utensil-answer', (event) => answers.push((event as CustomEvent<AnswerDetail>).detail));
  return { element, answers };
}

it('says why it asks though a permission is stored', async () => {
  const { element } = await asked({ ignored: 'its time is over' });
  expect(element.renderRoot.querySelector('.warnings')?.textContent).toContain(
    'Your earlier permission no longer applies: its time is over.',
  );
});

it('says which rule asks, whatever is in its name', async () => {
  const { element } = await asked({ reason: 'The rule "git\u200b push" of the user asks before this call.' });
  const said = element.renderRoot.querySelector('.effects')?.textContent;
  expect(said).toContain('The rule "git');
  expect(said).toContain('push" of the user asks before this call.');
  expect(said).not.toContain('\u200b');
});

it('offers only the answers that the question takes', async () => {
  const offered = (element: UtensilApproval): readonly string[] =>
    [...element.renderRoot.querySelectorAll('.actions button')].map(({ className }) => className.split(' ')[0] ?? '');
  const { element } = await asked({ answers: ['once', 'deny', 'input'] });
  expect(offered(element)).toEqual(['once', 'deny', 'plain']);
  expect(await accessibilityProblems(element)).toEqual([]);
  element.question = questionOf({ questionId: 'other', answers: ['once', 'deny'] });
  await element.updateComplete;
  expect(offered(element)).toEqual(['once', 'deny']);
});

it('asks in words, takes no focus, and is answered by keyboard, once', async () => {
  const outside = document.body.appendChild(document.createElement('input'));
  outside.focus();
  const { element, answers } = await asked();
  expect(document.activeElement).toBe(outside);
  outside.remove();
  const region = page.getByRole('region', { name: 'Allow this action? Send a letter' });
  await expect.element(region).toMatchTextContent('This may not be reversible');
  await expect.element(region).toMatchTextContent('Reaches the web');
  await expect.element(region).toMatchTextContent(/to.*ada@example\.org.*text.*Hello/s);
  expect(await accessibilityProblems(element)).toEqual([]);
  element.focus();
  await userEvent.keyboard('{Tab}{Tab}{Enter}');
  expect(answers).toEqual([{ questionId: 'for c1', answer: 'once' }]);
  await expect.element(page.getByRole('status')).toHaveTextContent('Allowed once');
  await expect.element(page.getByRole('button', { name: 'Allow once' })).not.toBeInTheDocument();
  expect(element.shadowRoot?.activeElement?.className).toContain('ask'); // and not nowhere
  element.question = questionOf({ callId: 'c2' });
  await page.getByRole('button', { name: 'Decline' }).click();
  expect(answers.at(-1)).toEqual({ questionId: 'for c2', answer: 'deny' });
});

it('offers every answer that a run takes, and opens again where one could not be given', async () => {
  const { element, answers } = await asked();
  for (const [name, answer] of [
    ['Allow for this answer', 'run'],
    ['Always allow', 'always'],
  ] as const) {
    element.problem = '';
    await page.getByRole('button', { name }).click();
    expect(answers.at(-1)?.answer).toBe(answer);
    element.problem = 'That run is over.';
    await expect.element(page.getByRole('alert')).toHaveTextContent('That run is over.');
  }
  element.canRemember = false;
  await expect.element(page.getByRole('button', { name: 'Always allow' })).not.toBeInTheDocument();
  element.addEventListener('utensil-answer', (event) => event.preventDefault());
  await page.getByRole('button', { name: 'Allow once' }).click();
  await expect.element(page.getByRole('button', { name: 'Allow once' })).toBeVisible();
});

it('lets its input be changed, and explains what is wrong with it', async () => {
  const { element, answers } = await asked();
  await page.getByRole('button', { name: 'Edit input' }).click();
  const field = page.getByRole('textbox', { name: 'Input (JSON)' });
  await expect.poll(() => element.shadowRoot?.activeElement).toBe(field.element());
  await expect.element(field).toHaveValue(JSON.stringify(questionOf().input, null, 2));
  const alert = page.getByRole('alert');
  const allow = page.getByRole('button', { name: 'Allow with changes' });
  for (const [wrong, why] of [
    ['{', 'not valid JSON'],
    ['[]', 'must be a JSON object'],
    ['{}', 'input is not valid'],
  ] as const) {
    await field.fill(wrong);
    await allow.click();
    await expect.element(alert).toMatchTextContent(why);
  }
  expect(await accessibilityProblems(element)).toEqual([]);
  await field.fill('{ "to": "bob@example.org" }');
  await allow.click();
  await expect.poll(() => answers).toEqual([{ questionId: 'for c1', answer: { input: { to: 'bob@example.org' } } }]);
});

it('asks for an answer by a form of the schema, by text, or by JSON', async () => {
  const { element, answers } = await asked({ kind: 'input', name: 'form', title: 'Who are you?', effects: 'read' });
  const send = page.getByRole('button', { name: 'Send' });
  await send.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Name is required.');
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await page.getByRole('textbox', { name: 'Age' }).fill('old');
  await send.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Age must be a number.');
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.getByRole('textbox', { name: 'Age' }).fill('36');
  await page.getByRole('combobox', { name: 'Size' }).selectOptions('small');
  await page.getByRole('checkbox', { name: 'Sure' }).click();
  await send.click();
  expect(answers.at(-1)?.answer).toEqual({ output: { name: 'Ada', age: 36, size: 'small', sure: true } });

  const input = { question: 'Which colour?', options: ['red', 'blue'] };
  element.question = questionOf({ kind: 'input', callId: 'c2', name: 'unknown', input });
  await page.getByRole('textbox', { name: 'Your answer' }).fill('green');
  await send.click();
  expect(answers.at(-1)).toEqual({ questionId: 'for c2', answer: { output: 'green' } });
  element.question = questionOf({ kind: 'input', callId: 'c3', name: 'unknown', input });
  await page.getByRole('button', { name: 'blue' }).click();
  expect(answers.at(-1)?.answer).toEqual({ output: 'blue' });

  element.question = questionOf({ kind: 'input', callId: 'c4', name: 'list' });
  await page.getByRole('textbox', { name: 'Your answer (JSON)' }).fill('[1,');
  await send.click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('not valid JSON');
  await page.getByRole('textbox', { name: 'Your answer (JSON)' }).fill('[1, 2]');
  await send.click();
  expect(answers.at(-1)?.answer).toEqual({ output: [1, 2] });
  element.question = questionOf({ kind: 'input', callId: 'c5', name: 'list' });
  await page.getByRole('button', { name: 'Skip' }).click();
  expect(answers.at(-1)?.answer).toBe('deny');
});

it('explains the choices for a call that may have taken effect', async () => {
  for (const [name, answer] of [
    ['Mark as done', 'accept'],
    ['Mark as not done', 'reject'],
    ['Run again', 'again'],
  ] as const) {
    const { element, answers } = await asked({ kind: 'recovery' });
    const button = page.getByRole('button', { name, exact: true });
    await expect.element(button).toHaveAccessibleDescription(/\.$/);
    expect(await accessibilityProblems(element)).toEqual([]);
    await button.click();
    expect(answers.map((each) => each.answer)).toEqual([answer]);
    element.remove();
  }
});

it('shows what would change in files', async () => {
  const preview = { type: 'changes', changes: [{ path: '/a.md', before: 'one\n', after: 'two\n' }] };
  const { element } = await asked({ preview, effects: 'write' });
  await expect
    .element(page.getByRole('region', { name: 'Changes to /a.md' }))
    .toMatchTextContent(/Removed: one.*Added: two/s);
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('hides nothing that hostile inputs hide, and keeps its answers in view', async () => {
  await page.viewport(320, 640);
  const evil = '<img src=x onerror="globalThis.broken=1"><a href="javascript:alert(1)">';
  const { element } = await asked({
    title: `Read \u202Efdp.txt ${evil}`,
    input: {
      path: '/notes\u0000.md\u200b',
      to: 'p\u0430ypal.com',
      code: `ls${'\n'.repeat(5_000)}rm -rf /`,
      [evil]: [evil, 'z'.repeat(9_000)],
    },
    preview: { html: evil },
  });
  const inside = element.renderRoot.querySelectorAll('utensil-value');
  await expect.poll(() => [...inside].every(({ renderRoot }) => renderRoot.textContent !== '')).toBe(true);
  const all = [element, ...inside].map(({ renderRoot }) => renderRoot.textContent).join('\n');
  for (const part of [
    '⟨U+202E⟩fdp.txt',
    '/notes⟨U+0000⟩.md⟨U+200B⟩',
    '⟨↵ × 4999⟩',
    'rm -rf /',
    'mixes letters',
    'Not all of it is shown',
    'hidden characters',
  ])
    expect(all).toContain(part);
  expect([element, ...inside].flatMap(({ renderRoot }) => [...renderRoot.querySelectorAll('img, a, script')])).toEqual(
    [],
  );
  expect(globalThis).not.toHaveProperty('broken');
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  await expect.element(page.getByRole('button', { name: 'Decline' })).toBeInViewport();
  expect(await accessibilityProblems(element)).toEqual([]);
  await page.viewport(1280, 800);
});
