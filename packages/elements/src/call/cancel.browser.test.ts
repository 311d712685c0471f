import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run, textOf } from '@utensil/core';
import type { Message, Run, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilThread } from '../thread/thread.ts';
import { noRun } from '../view/index.ts';
import type { CallView } from '../view/index.ts';
import { UtensilCall } from './call.ts';

const toolOf = (name: string, execute: NonNullable<Tool['execute']>): Tool =>
  defineTool({
    name,
    title: `The ${name}`,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    timeoutMs: 0,
    execute,
  });

const forever = (): Promise<string> => new Promise(() => undefined);

/** Tools that never end, and ones that call such a tool or have a run call it. */
const tools = [
  toolOf('slow', forever),
  toolOf('other', forever),
  toolOf('outer', async (_input, _options, context) => (await context.call('slow', {})).code ?? 'none'),
  toolOf('agent', async (_input, _options, context) => {
    const model = scriptedModel([{ calls: [{ name: 'outer', callId: 'inside' }] }, { text: 'Did it.' }]);
    return (await (await context.run({ messages: 'Do it.', model })).result).text;
  }),
];
const toolset = resolveToolset(createRegistry(tools), emptySettings, {});

const playing = (...names: readonly string[]): Run =>
  run({
    model: scriptedModel([{ calls: names.map((name) => ({ name, callId: name })) }, { text: 'All right.' }]),
    toolset,
    messages: 'Go',
  });

async function shown(more: Partial<UtensilThread>): Promise<UtensilThread> {
  const element = await mount(UtensilThread, more);
  element.style.blockSize = '500px';
  return element;
}

const told = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [`${part.code}: ${textOf(part.modelParts)}`] : [])),
  );

const cancel = (title: string) => page.getByRole('button', { name: `Cancel: ${title}` });

it('one call could only be ended with the whole answer: a button at each that runs cancels it alone, and the model is told', async () => {
  const playedRun = playing('slow', 'other');
  const element = await shown({ run: playedRun });
  await expect.element(cancel('The slow')).toBeVisible();
  expect(await accessibilityProblems(element)).toEqual([]);
  await cancel('The slow').click();
  await expect.element(page.getByRole('button', { name: /^The slow.*Cancelled/ })).toBeVisible();
  expect(cancel('The slow').elements()).toEqual([]);
  await expect.element(cancel('The other')).toBeVisible(); // it runs on
  cancel('The other').element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('All right.')).toBeVisible();
  const { messages } = await playedRun.result;
  expect(told(messages).map((text) => text.split(':').slice(0, 2).join(':').slice(0, 60))).toEqual(
    [
      'tool_cancelled: The user cancelled this call of "slow". If it',
      'tool_cancelled: The user cancelled this call of "other". If it',
    ].map((text) => text.slice(0, 60)),
  );
  expect(cancel('').elements()).toEqual([]);
});

it('a call inside a call, and one of a run inside, are cancelled by themselves', async () => {
  const playedRun = playing('agent');
  const element = await shown({ run: playedRun });
  await page.getByRole('button', { name: /^The agent/ }).click();
  await page.getByRole('button', { name: /^The outer/ }).click();
  await expect.element(cancel('The slow')).toBeVisible();
  const paths: unknown[] = [];
  element.addEventListener('utensil-cancel', (event) => paths.push((event as CustomEvent).detail));
  await cancel('The slow').click();
  await expect.element(page.getByText('All right.')).toBeVisible();
  expect(paths).toEqual([{ callId: 'inside›1', path: ['agent', 'inside›1'] }]);
  expect(told((await playedRun.result).messages)).toEqual(['undefined: Did it.']); // the caller continued
});

it('a page can prevent that a call is cancelled', async () => {
  const playedRun = playing('slow');
  const element = await shown({ run: playedRun });
  element.addEventListener('utensil-cancel', (event) => event.preventDefault(), { once: true });
  await cancel('The slow').click();
  await new Promise(requestAnimationFrame);
  await cancel('The slow').click();
  expect((await playedRun.result).status).toBe('complete');
});

it('no button is shown if nothing would hear it: without a run, while another tab answers, and at a call that is over', async () => {
  const call: CallView = { callId: 'c', name: 'slow', title: 'The slow', status: 'running', inner: [] };
  const items = [{ type: 'call', call }] as const;
  const view = { key: 'k', role: 'assistant', items, createdAt: 0 } as const;
  const live = { ...noRun, status: 'running', messages: [view] } as const;
  const element = await shown({ live });
  await expect.element(page.getByText('Running')).toBeVisible();
  expect(cancel('').elements()).toEqual([]);
  element.canCancel = true;
  await expect.element(cancel('The slow')).toBeVisible();
  element.owner = {};
  await expect.poll(() => cancel('').elements()).toEqual([]);
  element.remove();
  const alone = await mount(UtensilCall, { call, canCancel: true });
  for (const status of ['input', 'asking', 'done', 'failed', 'declined', 'cancelled', 'interrupted', 'left'] as const) {
    alone.call = { ...call, status };
    await alone.updateComplete;
    expect(cancel('').elements()).toEqual([]);
  }
  for (const status of ['waiting', 'running'] as const) {
    alone.call = { ...call, status };
    await expect.element(cancel('The slow')).toBeVisible();
  }
});
