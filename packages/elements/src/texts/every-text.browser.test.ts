import { createRegistry, defineTool, jsonSchema } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '../../../../tooling/elements/mount.ts';
import { says, text, usePseudoLocale } from '../../../../tooling/elements/pseudo-scene.ts';
import { UtensilApproval } from '../approval/approval.ts';
import { UtensilCall } from '../call/call.ts';
import { UtensilDiff } from '../diff/diff.ts';
import { UtensilMarkdown } from '../markdown/index.ts';
import { UtensilValue } from '../value/value.ts';
import { threadView } from '../view/index.ts';
import type { CallView, Question } from '../view/index.ts';
import { UtensilWaiting } from '../waiting/waiting.ts';
import * as english from './english.ts';
import { provideTexts } from './provide.ts';

const patient = { timeout: 100_000 };

const latinData = /⟨U\+[\dA-F]+⟩|Ωa/gu;
const { locale: _, ...tables } = english;
const { shown, holds, press, missing } = usePseudoLocale({ tables, provide: provideTexts, latinData });

const callOf = (more: Partial<CallView> = {}): CallView => ({
  callId: 'c',
  name: 'look',
  title: 'Δες',
  status: 'done',
  input: { ω: 'α' },
  inner: [],
  ...more,
});

const questionOf = (more: Partial<Question> = {}): Question => ({
  kind: 'approval',
  questionId: 'q',
  callId: 'c',
  runId: 'r',
  name: 'look',
  title: 'Δες',
  input: { ω: 'α' },
  effects: 'read',
  ...more,
});

const resultOf = (userView: object): Partial<CallView> => ({
  result: {
    isError: false,
    output: 'α',
    modelParts: [{ type: 'text', text: 'β' }],
    userView: userView as { type: string },
  },
});

it('shows values, differences and Markdown in the texts that are provided', async () => {
  const value = await mount(UtensilValue, { value: 'α\n'.repeat(9_000) });
  await holds(value);
  await press('value.allOf');
  await page.getByRole('searchbox').fill('ψ');
  await press('value.find');
  await holds(value);
  await page.getByRole('searchbox').fill('α');
  await press('value.find');
  await holds(value);
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce().mockRejectedValueOnce(new Error('όχι'));
  await press('value.copy');
  await vi.waitFor(() => holds(value).then(() => expect(shown).toContain('value.copied')), patient);
  await press('value.copy');
  await vi.waitFor(() => holds(value).then(() => expect(shown).toContain('value.notCopied')), patient);
  await holds(await mount(UtensilValue, { value: Array.from({ length: 99 }, () => 1) }));
  await holds(await mount(UtensilDiff, { oldText: 'α', newText: 'β\n'.repeat(3_000) }));
  await holds(await mount(UtensilDiff, { oldText: 'α', newText: 'α' }));
  const markdown = await mount(UtensilMarkdown, {
    text: `- [x] α\n- [ ] β\n\n|α|β|\n|-|-|\n|1|2|\n\n![α](https://9.9.9.9/1) ![β](ω:ω)\n\n\`\`\`\n${'α'.repeat(200_001)}\n\`\`\`\n\n\`\`\`output\nα\n\`\`\``,
  });
  await holds(markdown);
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce().mockRejectedValueOnce(new Error('όχι'));
  for (const outcome of ['copied', 'notCopied']) {
    markdown.renderRoot.querySelector<HTMLElement>('.bar button')?.click();
    await vi.waitFor(() => holds(markdown).then(() => expect(shown).toContain(`markdown.${outcome}`)), patient);
  }
});

it('shows what waits in the texts that are provided', async () => {
  const waits = { ...questionOf(), threadId: 't', id: 'q', projectId: 'p', time: 0 };
  const read = vi.fn<() => Promise<undefined>>(async () => undefined);
  read.mockReturnValueOnce(new Promise(() => undefined));
  const questions = Array.from({ length: 30 }, (_, index) => ({ ...waits, threadId: `${index}` }));
  const element = await mount(UtensilWaiting, { questions, read });
  await holds(element);
  await press('waiting.all');
  const answer = (): void => element.renderRoot.querySelector<HTMLElement>('button.answer')?.click();
  for (const state of ['reading', 'gone']) {
    answer();
    await vi.waitFor(() => holds(element).then(() => expect(shown).toContain(`waiting.${state}`)), patient);
    await press('waiting.close');
  }
});

it('shows calls in the texts that are provided', async () => {
  const element = await mount(UtensilCall, { call: callOf(), open: true });
  const changes = Array.from({ length: 22 }, (_, at) => ({
    path: `/${at}`,
    ...(at % 2 === 0 ? { after: 'α' } : { before: 'β' }),
  }));
  const interrupted = threadView([
    says('a', 'assistant', { type: 'tool-call', callId: 'c', name: 'look', title: 'Δες', input: {}, executedBy: 'us' }),
    says('b', 'user', text('α')),
  ]).messages[0]?.items[0];
  const image = { type: 'image', mediaType: '1/2' } as const;
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const modelParts = [
    image,
    { type: 'file', name: 'Α', mediaType: '1/2' },
    { type: 'audio', name: 'Α', mediaType: '1/2' },
    { type: 'resource-link', uri: 'ω:ω', name: 'Α', size: 1 },
  ] as const;
  for (const call of [
    callOf({ status: 'input', inputText: 'α' }),
    callOf({ status: 'waiting', input: {} }),
    callOf({ status: 'asking', question: questionOf() }),
    callOf({ status: 'declined' }),
    callOf({ status: 'cancelled' }),
    callOf({ status: 'left' }),
    callOf({ result: { isError: true, code: 'tool_interrupted', output: 'α', modelParts: [] } }),
    callOf({ result: { isError: false, output: [{ α: 'β' }], modelParts: [] } }),
    callOf({ status: 'running', progress: 'α', saying: 'β', repairs: ['γ'] }),
    callOf({ status: 'running', inner: Array.from({ length: 30 }, (_, at) => callOf({ callId: `${at}` })) }),
    callOf({ status: 'failed', durationMs: 1_234 }),
    callOf(resultOf({ type: 'changes', changes })),
    callOf(resultOf({ type: 'terminal', command: 'α', text: 'β', exit: { code: 1 } })),
    callOf(resultOf({ type: 'terminal', text: 'β', exit: { signal: 'Σ', reason: 'γ' } })),
    callOf(resultOf({ type: 'code', code: 'α' })),
    callOf(resultOf({ type: 'agent', agent: 'Α', answer: 'β', text: 'γ', steps: 2, tokens: 3, cost: 0.5 })),
    callOf({
      result: { isError: false, output: 'α', modelParts: [{ type: 'image', mediaType: 'image/png', data: pixel }] },
    }),
    ...(interrupted?.type === 'call' ? [interrupted.call] : []),
  ]) {
    element.call = call;
    await holds(element);
  }
  element.canCancel = true;
  element.call = callOf({ status: 'running' });
  await expect.element(page.getByRole('button', { name: /call\.cancelOf/ })).toBeVisible();
  await holds(element);
  element.call = callOf({ result: { isError: false, output: 'α', modelParts, userView: 'γ' } });
  for (const way of ['modelSaw', 'output']) {
    await press(`call.${way}`);
    await holds(element);
  }
  expect(shown).toContain('call.image');
});

it('shows questions in the texts that are provided', async () => {
  const schema = {
    type: 'object',
    properties: { Α: { enum: ['α'] }, Β: { type: 'number' } },
    required: ['Α'],
  } as const;
  const tool = (name: string, more: Partial<Tool>): Tool =>
    defineTool({ name, description: '', input: jsonSchema({ type: 'object' }), effects: 'read', ...more });
  const registry = createRegistry([
    tool('look', { openWorld: true, input: jsonSchema({ type: 'object', required: ['α'] }) }),
    tool('form', { output: jsonSchema(schema) }),
    tool('list', { output: jsonSchema({ type: 'array' }) }),
  ]);
  const element = await mount(UtensilApproval, { registry });
  const ask = async (question: Partial<Question>): Promise<void> => {
    element.question = questionOf({ questionId: `${Math.random()}`, ...question });
    await holds(element);
  };
  const input = { α: `\u200b${'β'.repeat(9_000)}`, γ: 'Ωa' };
  await ask({ input, preview: { α: 1 }, ignored: 'γ', taintedBy: ['δ'], effects: 'write' });
  await ask({ effects: 'destructive' });
  for (const answer of ['once', 'run', 'always', 'deny']) {
    await ask({});
    await press(`approval.${answer}`);
    await holds(element);
  }
  await ask({});
  await press('approval.change');
  await holds(element);
  for (const wrong of ['{', '[]', '{}']) {
    await page.getByRole('textbox').fill(wrong);
    await press('approval.allowChanged');
    await vi.waitFor(() => expect(element.problem).not.toBe(''), patient);
    await holds(element);
    element.problem = '';
  }
  await page.getByRole('textbox').fill('{"α": 1}');
  await press('approval.allowChanged');
  await vi.waitFor(() => expect(element.edited).toBeUndefined(), patient);
  await holds(element);
  for (const answer of ['accept', 'reject', 'again']) {
    await ask({ kind: 'recovery' });
    await press(`approval.${answer}`);
    await holds(element);
  }
  await ask({ kind: 'input', name: 'form' });
  await press('approval.send');
  await holds(element);
  await page.getByRole('combobox').selectOptions('α');
  await page.getByRole('textbox').fill('β');
  await press('approval.send');
  await holds(element);
  await ask({ kind: 'input', name: 'list' });
  await press('approval.noAnswer');
  await holds(element);
  await ask({ kind: 'input', input: { choices: ['α'] } });
  await page.getByRole('button', { name: 'α' }).click();
  await holds(element);
});

it('shows every text of these elements', () => {
  const groups = ['value', 'diff', 'markdown', 'call', 'approval'];
  expect(missing(groups)).toEqual([]);
});
