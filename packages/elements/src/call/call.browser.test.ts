import {
  messagesOf,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openThread,
  resolveToolset,
  run,
  textOf,
} from '@utensil/core';
import type { Json } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import type { CallResult, CallView } from '../view/call-view.ts';
import { threadView } from '../view/thread-view.ts';
import { UtensilCall } from './call.ts';

const text = (text: string): CallResult['modelParts'] => [{ type: 'text', text }];
const resultOf = (output: Json, more: Partial<CallResult> = {}): CallResult => ({
  isError: false,
  output,
  modelParts: text(typeof output === 'string' ? output : JSON.stringify(output)),
  ...more,
});
const callOf = (more: Partial<CallView> = {}): CallView => ({
  callId: 'c1',
  name: 'read',
  title: 'Read /notes.md',
  icon: '📄',
  status: 'done',
  input: { path: '/notes.md' },
  durationMs: 1_234,
  inner: [],
  ...more,
});

/** All text that is in the page below an element, in shadow roots too. */
function shownIn(element: Element | ShadowRoot): string {
  const inside = [...element.querySelectorAll('*')].map(({ shadowRoot }) => (shadowRoot ? shownIn(shadowRoot) : ''));
  const own = element instanceof Element && element.shadowRoot ? shownIn(element.shadowRoot) : '';
  return [element.textContent, own, ...inside].join('\n');
}

function allIn(element: Element, selector: string): readonly Element[] {
  const root = element.shadowRoot ?? element;
  const found = [...root.querySelectorAll(selector)];
  return [
    ...found,
    ...[...root.querySelectorAll('*')].flatMap((each) => (each.shadowRoot ? allIn(each, selector) : [])),
  ];
}

it('[S3-21] is one line with a status in words, and opens by keyboard to its arguments and all of its result', async () => {
  const long = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n');
  const result = resultOf(long, { status: '3000 lines' });
  const element = await mount(UtensilCall, { call: callOf({ status: 'running' }) });
  const line = page.getByRole('button', { name: /Read/ });
  await expect.element(line).toMatchTextContent('Running');
  element.call = callOf({ status: 'failed', result: { ...result, isError: true } });
  await expect.element(line).toMatchTextContent('Failed');
  element.call = callOf({ result, repairs: ['"path" was missing its slash.'] });
  await expect.element(line).toMatchTextContent(/3000 lines.*Done.*1\.2s/s);
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(line).toHaveAttribute('aria-expanded', 'true');
  await expect.element(page.getByText('"path" was missing its slash.')).toBeVisible();
  expect(shownIn(element)).toContain('/notes.md');
  expect(shownIn(element)).not.toContain('line 2999');
  await page.getByRole('button', { name: /Show all/ }).click();
  const all = page.getByRole('group', { name: 'Result' });
  all.element().focus();
  await userEvent.keyboard('{End}');
  await expect.poll(() => shownIn(element)).toContain('line 2999');
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('[A3-06] [A4-09] shows the beginning of 5 MB and all of them on demand, after a reload too, while the model gets a bounded text and a way to the rest', async () => {
  const output = `begin ${'x'.repeat(2_500_000)} needle ${'y'.repeat(2_500_000)} end`;
  const [big, more] = [
    defineTool({
      name: 'big',
      description: '',
      input: jsonSchema({ type: 'object' }),
      effects: 'read',
      execute: () => output,
    }),
    defineTool({
      name: 'read_output',
      description: '',
      input: jsonSchema({ type: 'object' }),
      effects: 'read',
      role: { type: 'output-reader' },
      execute: async (_input, _options, { outputOf }) => String(await outputOf('call-1')).slice(-3),
    }),
  ];
  const records = createRecords(memoryStorage());
  const model = scriptedModel([{ calls: [{ name: 'big' }] }, { calls: [{ name: 'read_output' }] }, { text: 'Done.' }]);
  const toolset = resolveToolset(createRegistry([big, more]), emptySettings, {});
  await run({ model, toolset, messages: 'Go', thread: openThread(records, 'thread') }).result;
  const seen = model.requests[1]?.messages.flatMap(({ parts }) => parts).find(({ type }) => type === 'tool-result');
  const told = seen?.type === 'tool-result' ? textOf(seen.modelParts) : '';
  expect(told.length).toBeLessThan(110_000);
  expect(told).toContain('read_output');

  const reopened = openThread(records, 'thread');
  const items = threadView(await messagesOf(reopened)).messages.flatMap((message) => message.items);
  const calls = items.flatMap((item) => (item.type === 'call' ? [item.call] : []));
  expect(calls[1]?.result?.output).toBe('end');
  const element = await mount(UtensilCall, { call: calls[0], open: true });
  await expect.element(page.getByRole('button', { name: 'Show all (5 million characters)' })).toBeVisible();
  expect(shownIn(element).length).toBeLessThan(20_000);
  await page.getByRole('button', { name: /Show all/ }).click();
  await page.getByRole('searchbox').fill('needle');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText(/ needle /)).toBeInViewport();
  expect(shownIn(element).length).toBeLessThan(40_000);
  expect(await accessibilityProblems(element)).toEqual([]);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await page.getByRole('button', { name: 'Copy: Result' }).click();
  expect(copied).toHaveBeenCalledWith(output);
  copied.mockRestore();
});

it('takes the same place while its input comes in', async () => {
  const element = await mount(UtensilCall, { call: callOf({ status: 'input', inputText: '{"pa' }), open: true });
  const height = element.getBoundingClientRect().height;
  for (const length of [10, 500, 100_000]) {
    const inputText = `{"path": "${'a'.repeat(length)}\nb`;
    element.call = { ...callOf({ status: 'input' }), input: {}, inputText };
    await element.updateComplete;
    expect(element.getBoundingClientRect().height).toBe(height);
    expect(shownIn(element)).toContain('a\nb'); // what is new is seen
    expect(shownIn(element).length).toBeLessThan(5_000);
  }
});

it('[S2-44] has cards for differences, terminals, code and agents', async () => {
  const element = await mount(UtensilCall, { open: true });
  const show = async (userView: Json): Promise<string> => {
    element.call = callOf({ result: resultOf('for the model', { userView }) });
    await expect.poll(() => element.isUpdatePending).toBe(false);
    await Promise.all(
      allIn(element, 'utensil-value, utensil-diff').map((each) => (each as UtensilCall).updateComplete),
    );
    expect(await accessibilityProblems(element)).toEqual([]);
    return shownIn(element).replaceAll(/\s+/g, ' ');
  };
  const changes = [
    { path: '/a.txt', before: 'one\n', after: 'two\n' },
    { path: '/b.txt', after: 'new' },
  ];
  expect(await show({ type: 'changes', changes })).toMatch(/\/a\.txt.*\/b\.txt new/);
  expect(allIn(element, 'tr.removed, tr.added').map(({ className }) => className)).toEqual([
    'removed',
    'added',
    'added',
  ]);
  const output = '\u001b[31mred\u001b[0m\n50%\r100%';
  expect(await show({ type: 'terminal', command: 'make', output, exit: { code: 2 } })).toMatch(
    /\$ make red 100%.*Exit code 2|Exit code 2.*red 100%/,
  );
  expect(await show({ type: 'code', language: 'js', code: 'let a' })).toContain('let a');
  expect(
    await show({
      type: 'agent',
      agent: 'a-1',
      answer: { sum: 4 },
      text: '',
      note: 'It reached its limit.',
      steps: 2,
      tokens: 900,
      cost: null,
    }),
  ).toMatch(/Agent a-1 · 2 steps · 900 tokens It reached its limit\./);
});

it('shows what the model saw, and the whole output, where they differ', async () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const modelParts: CallResult['modelParts'] = [
    { type: 'text', text: 'In short.' },
    { type: 'image', mediaType: 'image/png', data: pixel },
    { type: 'image', mediaType: 'image/svg+xml', data: btoa('<svg onload="alert(1)"/>') },
    { type: 'image', mediaType: 'image/png', url: 'https://example.org/track.png' },
    { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
    { type: 'audio', mediaType: 'text/html', data: 'PGI+' },
    { type: 'resource-link', uri: 'javascript:alert(1)', name: 'a link' },
  ];
  const result = resultOf({ rows: [1, 2] }, { modelParts, userView: 'For you.' });
  const element = await mount(UtensilCall, { call: callOf({ result }), open: true });
  const images = (): readonly string[] => allIn(element, 'img').map((image) => (image as HTMLImageElement).src);
  const players = (): readonly string[] => allIn(element, 'audio').map((each) => each.ariaLabel ?? '');
  expect(images()).toEqual([`data:image/png;base64,${pixel}`]);
  await expect.poll(players).toEqual(['Audio: a.wav (audio/wav)']);
  await expect
    .element(page.getByRole('group', { name: 'Link to a resource' }))
    .toHaveTextContent('a link javascript:alert(1)');
  await page.getByRole('button', { name: 'Seen by the model' }).click();
  await expect.element(page.getByText('In short.')).toBeVisible();
  expect(images()).toEqual([`data:image/png;base64,${pixel}`]); // nothing is loaded, nothing can run
  await expect.poll(players).toEqual(['Audio: a.wav (audio/wav)']);
  await expect.element(page.getByText('Audio: text/html')).toBeVisible();
  expect(allIn(element, 'a')).toEqual([]);
  await page.getByRole('button', { name: 'Full output' }).click();
  await expect.element(page.getByText(/"rows"/)).toBeVisible();
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('shows calls inside a call', async () => {
  const inner = Array.from({ length: 25 }, (_, index) => callOf({ callId: `i${index}`, title: `Inner ${index}` }));
  const element = await mount(UtensilCall, { call: callOf({ inner }), open: true });
  await expect.element(page.getByRole('listitem')).toHaveLength(20);
  await page.getByRole('button', { name: 'Show 5 more' }).click();
  await expect.element(page.getByRole('listitem')).toHaveLength(25);
  await page.getByRole('button', { name: /Inner 24/ }).click();
  await expect.poll(() => allIn(element, 'dl')).toHaveLength(2);
});

it('shows hostile titles, inputs and results as text, with hidden characters named', async () => {
  const evil = '<img src=x onerror="globalThis.broken=1"> [x](javascript:alert(1)) \u202Egpj.exe';
  const call = callOf({
    title: evil,
    icon: evil,
    input: { [evil]: evil, list: [evil] },
    repairs: [evil],
    result: resultOf({ html: evil }, { userView: evil, status: evil }),
  });
  const element = await mount(UtensilCall, { call, open: true });
  await expect.poll(() => allIn(element, 'utensil-value')).toHaveLength(2);
  expect(allIn(element, 'img, a, iframe, script')).toEqual([]);
  expect(shownIn(element)).toContain('⟨U+202E⟩gpj.exe');
  expect(shownIn(element)).not.toContain('\u202E');
  expect(globalThis).not.toHaveProperty('broken');
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('is no wider than a narrow page, in either direction', async () => {
  await page.viewport(320, 600);
  const result = resultOf('x'.repeat(5_000), {
    userView: { type: 'changes', changes: [{ path: `/${'p'.repeat(300)}`, after: 'y'.repeat(900) }] },
  });
  const element = await mount(UtensilCall, { call: callOf({ title: 'T'.repeat(200), result }), open: true });
  for (const direction of ['ltr', 'rtl']) {
    document.documentElement.dir = direction;
    await element.updateComplete;
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  }
  document.documentElement.removeAttribute('dir');
  await page.viewport(1280, 800);
});

it('reports a call without a result if no question is pending, and shows the text of an inner run', async () => {
  const element = await mount(UtensilCall, { call: callOf({ status: 'left' }) });
  const line = page.getByRole('button', { name: /Read/ });
  await expect.element(line).toMatchTextContent('No result');
  const { callId, name, title, input = {} } = callOf();
  const question = {
    kind: 'approval',
    questionId: 'q',
    callId,
    runId: 'r',
    name,
    title,
    input,
    effects: 'write',
  } as const;
  element.call = callOf({ status: 'asking', question });
  await expect.element(line).toMatchTextContent('Needs you');
  element.call = callOf({ status: 'running', saying: 'I look into it.' });
  element.open = true;
  await expect.element(page.getByRole('group', { name: 'Answer so far' })).toMatchTextContent('I look into it.');
  element.call = callOf({ saying: 'I look into it.', result: resultOf('All is well.') });
  await expect.element(page.getByRole('group', { name: 'Answer so far' })).not.toBeInTheDocument();
});

it('moves nothing up where an input that came in becomes fields', async () => {
  const { durationMs: _, input, ...call } = callOf({ status: 'input', inputText: '{"path"' });
  const element = await mount(UtensilCall, { call, open: true });
  const before = element.getBoundingClientRect().height;
  element.call = { ...call, status: 'running', input: { path: '/notes.md' } };
  element.call = callOf({ status: 'running', ...(input && { input }) });
  await element.updateComplete;
  expect(element.getBoundingClientRect().height).toBeGreaterThanOrEqual(before);
});
