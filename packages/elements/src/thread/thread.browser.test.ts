import {
  messagesOf,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openThread,
  permissions,
  resolveToolset,
  run,
} from '@utensil/core';
import type { AudioPart, Message, Part, ResourceLinkPart } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { onTestFinished, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { TemplateResult } from 'lit';
import { register } from '../base/element.ts';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { foldRun, noRun } from '../view/index.ts';
import type { LiveRun } from '../view/index.ts';
import type { RowFacts } from './facts.ts';
import { UtensilThread } from './thread.ts';

/** A thread that counts how often each message is rendered. */
class CountingThread extends UtensilThread {
  readonly rendered: string[] = [];

  protected override renderRow(facts: RowFacts): TemplateResult {
    this.rendered.push(facts.view.key);
    return super.renderRow(facts);
  }
}
register('counting-thread', CountingThread);

const says = (id: string, role: Message['role'], ...parts: readonly (Part | string)[]): Message => ({
  id,
  role,
  parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  createdAt: 0,
});

const callOf = (callId: string): Part => ({
  type: 'tool-call',
  callId,
  name: 'look',
  title: 'Look around',
  input: { at: callId },
  executedBy: 'us',
});

const resultOf = (callId: string, output: string): Message =>
  says(`result of ${callId}`, 'tool', {
    type: 'tool-result',
    callId,
    name: 'look',
    output,
    modelParts: [{ type: 'text', text: output }],
    isError: false,
  });

/** Messages of all kinds, of very different heights. */
function mixed(count: number): readonly Message[] {
  const messages: Message[] = [];
  for (let at = 0; messages.length < count; at++) {
    messages.push(says(`u${at}`, 'user', `Question ${at}\n${'More of it. '.repeat(at % 40)}`));
    if (at % 3 === 0) {
      messages.push(says(`c${at}`, 'assistant', { type: 'reasoning', text: 'I have to look.' }, callOf(`call${at}`)));
      messages.push(resultOf(`call${at}`, `Result ${at}`));
    }
    const list = Array.from({ length: at % 12 }, (_, item) => `- item ${item}`).join('\n');
    messages.push(says(`a${at}`, 'assistant', `## Answer ${at}\n\n${list}\n\n\`\`\`js\nlet a = ${at};\n\`\`\`\n`));
  }
  return messages.slice(0, count);
}

const tall = 'block-size: 600px';

async function thread<Kind extends UtensilThread>(Kind: new () => Kind, properties: Partial<Kind>): Promise<Kind> {
  const element = await mount(Kind, properties);
  element.style.cssText = tall;
  await settled(element);
  return element;
}

/** Resolves once all rows have stopped moving: when nothing has changed for some frames. */
async function settled(element: UtensilThread): Promise<void> {
  let [before, unchanged] = ['', 0];
  for (let frame = 0; frame < 12 && unchanged < 4; frame++) {
    await new Promise((then) => requestAnimationFrame(then));
    await element.updateComplete;
    const tops = rowsIn(element).map((row) => row.getBoundingClientRect().top);
    const now = JSON.stringify([element.scroller?.scrollTop, element.scroller?.scrollHeight, tops]);
    unchanged = now === before ? unchanged + 1 : 0;
    before = now;
  }
}

const rowsIn = ({ renderRoot }: UtensilThread): readonly HTMLElement[] => [
  ...renderRoot.querySelectorAll<HTMLElement>('article'),
];

const textIn = (node: ParentNode): string =>
  [...node.querySelectorAll('*')].map((each) => each.shadowRoot?.textContent ?? '').join(' ') +
  (node.textContent ?? '');

/** The row that crosses the middle of the screen, and how far below the top it begins. */
function middleRow(element: UtensilThread): { readonly label: string; readonly top: number } {
  const { top, height } = element.getBoundingClientRect();
  const row = rowsIn(element).find((each) => each.getBoundingClientRect().bottom > top + height / 2);
  return { label: row?.ariaPosInSet ?? '', top: Math.round((row?.getBoundingClientRect().top ?? 0) - top) };
}

const scrollerOf = (element: UtensilThread): HTMLElement => element.scroller ?? expect.fail('There is no scroller.');

const distanceToEnd = (element: UtensilThread): number => {
  const { scrollHeight, scrollTop, clientHeight } = scrollerOf(element);
  return scrollHeight - scrollTop - clientHeight;
};

/** A run that is under way, folded as far as its text. */
function streaming(words: readonly string[], before: LiveRun = noRun): LiveRun {
  const bodies = [
    ...(before === noRun
      ? ([{ type: 'run-start' }, { type: 'step-start', step: 1, model: { api: 'text', id: 'model' } }] as const)
      : []),
    ...words.map((text) => ({ type: 'text-delta', text }) as const),
  ];
  return bodies.reduce<LiveRun>(
    (live, body) => foldRun(live, { ...body, runId: 'r', seq: live.seq + 1, time: 0 }),
    before,
  );
}

describe('utensil-thread', () => {
  it('keeps few of ten thousand messages in the page, wherever it is scrolled to, and begins at the end', async () => {
    const element = await thread(UtensilThread, { messages: mixed(10_000) });
    const counts: number[] = [];
    expect(distanceToEnd(element)).toBeLessThan(50);
    expect(rowsIn(element).at(-1)?.ariaPosInSet).toBe(rowsIn(element).at(-1)?.ariaSetSize);
    for (const part of [0.9, 0.5, 0.1, 0]) {
      scrollerOf(element).scrollTop = scrollerOf(element).scrollHeight * part;
      await settled(element);
      counts.push(element.renderRoot.querySelectorAll('*').length);
      expect(rowsIn(element).length).toBeGreaterThan(2);
    }
    expect(Math.max(...counts)).toBeLessThan(700);
    expect(rowsIn(element)[0]?.ariaPosInSet).toBe('1');
    expect(await accessibilityProblems(element)).toEqual([]);
  });

  it('renders only the last message while it is streamed, and stays at the end', async () => {
    const element = await thread(CountingThread, { messages: mixed(50), live: streaming(['One']) });
    let live = element.live ?? noRun;
    element.rendered.length = 0;
    for (let at = 0; at < 15; at++) {
      live = streaming([`\n\nParagraph ${at}.`], live);
      element.live = live;
      await settled(element);
      expect(distanceToEnd(element)).toBeLessThan(5);
    }
    expect(new Set(element.rendered)).toEqual(new Set(['r/1']));
    expect(element.rendered.length).toBe(15);
    expect(textIn(element.renderRoot)).toContain('Paragraph 14.');
  });

  it('leaves somebody who scrolled up where they are, and offers the way back', async () => {
    const element = await thread(UtensilThread, { messages: mixed(300), live: streaming(['One']) });
    scrollerOf(element).scrollTop -= 2_000;
    await settled(element);
    const before = middleRow(element);
    let live = element.live ?? noRun;
    for (let at = 0; at < 10; at++) {
      live = streaming([`\n\nParagraph ${at}.`], live);
      element.live = live;
      await settled(element);
    }
    expect(middleRow(element)).toEqual(before);
    const latest = element.renderRoot.querySelector<HTMLElement>('.latest');
    expect(latest?.textContent.trim()).toBe('New messages');
    latest?.click();
    await settled(element);
    expect(distanceToEnd(element)).toBeLessThan(50);
    expect(element.renderRoot.querySelector('.latest')).toBeNull();
  });

  it('takes somebody to the end who writes something', async () => {
    const element = await thread(UtensilThread, { messages: mixed(300) });
    scrollerOf(element).scrollTop = 500;
    await settled(element);
    const asked = { type: 'message', message: says('new', 'user', 'And now?') } as const;
    element.live = foldRun(noRun, { ...asked, runId: 'r', seq: 0, time: 0 });
    await settled(element);
    expect(distanceToEnd(element)).toBeLessThan(50);
  });

  it('does not jump when messages above are measured or put before', async () => {
    const all = mixed(400);
    const element = await thread(UtensilThread, { messages: all.slice(200) });
    for (let step = 0; step < 8; step++) {
      const scroller = scrollerOf(element);
      const before = middleRow(element);
      const was = scroller.scrollTop;
      scroller.scrollTop -= 150;
      await settled(element);
      expect(was).toBeGreaterThan(150);
      const row = rowsIn(element).find(({ ariaPosInSet }) => ariaPosInSet === before.label);
      const top = (row?.getBoundingClientRect().top ?? NaN) - element.getBoundingClientRect().top;
      expect(Math.abs(top - before.top - 150)).toBeLessThan(3);
    }
    const before = middleRow(element);
    const size = Number(rowsIn(element)[0]?.ariaSetSize);
    element.messages = all;
    await settled(element);
    const added = Number(rowsIn(element)[0]?.ariaSetSize) - size;
    expect(added).toBeGreaterThan(100);
    const after = middleRow(element);
    expect(Number(after.label) - added).toBe(Number(before.label));
    expect(Math.abs(after.top - before.top)).toBeLessThan(3);
  }, 60_000);

  it('keeps its rows when what was streamed is stored', async () => {
    const element = await thread(UtensilThread, { messages: [says('u', 'user', 'Hi')], live: streaming(['Hello.']) });
    const row = rowsIn(element)[1];
    const stored = { ...says('a', 'assistant', 'Hello.'), createdAt: 5 };
    element.live = foldRun(element.live ?? noRun, { type: 'message', message: stored, runId: 'r', seq: 10, time: 0 });
    await settled(element);
    element.messages = [says('u', 'user', 'Hi'), stored];
    element.live = undefined;
    await settled(element);
    expect(rowsIn(element)).toHaveLength(2);
    expect(rowsIn(element)[1]).toBe(row);
  });

  it('says what a person wants: to answer again, to edit, to go on, to see another version', async () => {
    const messages = [
      says('u', 'user', 'Hi'),
      says('a1', 'assistant', callOf('x')),
      resultOf('x', 'seen'),
      { ...says('a2', 'assistant', 'Hello, and'), incomplete: true as const },
    ];
    const branches = new Map([['a1', { index: 1, count: 3 }]]);
    const element = await thread(UtensilThread, { messages, branches });
    const told: unknown[] = [];
    for (const type of ['regenerate', 'edit', 'continue', 'branch'])
      element.addEventListener(`utensil-${type}`, (event) => told.push([event.type, (event as CustomEvent).detail]));
    const locator = page.elementLocator(element);
    await locator.getByRole('button', { name: 'Regenerate' }).click();
    await locator.getByRole('button', { name: 'Continue' }).click();
    await locator.getByRole('button', { name: 'Previous version' }).click();
    await locator.getByRole('button', { name: 'Edit' }).click();
    await userEvent.keyboard('{Control>}a{/Control}Hello{Control>}{Enter}{/Control}');
    await settled(element);
    expect(told).toEqual([
      ['utensil-regenerate', { messageId: 'a1' }],
      ['utensil-continue', { messageId: 'a2' }],
      ['utensil-branch', { messageId: 'a1', to: 0 }],
      ['utensil-edit', { messageId: 'u', text: 'Hello' }],
    ]);
    expect(element.renderRoot.querySelector('textarea')).toBeNull();
  });

  it('keeps the editor while a page says that it does not take the text, and gives it up with Escape', async () => {
    const element = await thread(UtensilThread, { messages: [says('u', 'user', 'Hi')] });
    element.addEventListener('utensil-edit', (event) => event.preventDefault());
    await page.elementLocator(element).getByRole('button', { name: 'Edit' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await settled(element);
    expect(element.renderRoot.querySelector('textarea')?.value).toBe('Hi');
    await userEvent.keyboard('{Escape}');
    await settled(element);
    expect(element.renderRoot.querySelector('textarea')).toBeNull();
  });

  it('[S1-20] follows a run, shows its thoughts and calls, asks, answers, and keeps all of it when it is stored', async () => {
    const look = defineTool({
      name: 'look',
      title: 'Look around',
      description: 'd',
      input: jsonSchema({ type: 'object' }),
      effects: 'write',
      execute: () => 'a tree',
    });
    const registry = createRegistry([look]);
    const stored = openThread(createRecords(memoryStorage()), 't');
    const going = run({
      model: scriptedModel([
        { reasoning: 'I look first.', calls: [{ name: 'look' }] },
        { text: 'There is a **tree**.' },
      ]),
      toolset: resolveToolset(registry, emptySettings, {}),
      thread: stored,
      messages: 'What is there?',
      policy: permissions('all'),
    });
    const element = await thread(UtensilThread, { run: going, registry });
    await expect.poll(() => element.renderRoot.querySelector('utensil-approval')).not.toBeNull();
    const approval = element.renderRoot.querySelector('utensil-approval') as HTMLElement & {
      question: { questionId: string };
    };
    expect(approval.question).toMatchObject({ kind: 'approval', name: 'look', runId: going.id });
    expect(await accessibilityProblems(element)).toEqual([]);
    const { questionId } = approval.question;
    const detail = { questionId, answer: 'once' };
    approval.dispatchEvent(
      new CustomEvent('utensil-answer', { detail, bubbles: true, composed: true, cancelable: true }),
    );
    expect((await going.result).status).toBe('complete');
    await settled(element);
    const shown = (): readonly string[] => rowsIn(element).map((row) => textIn(row).replaceAll(/\s+/g, ' '));
    await expect.poll(() => shown().join(' ')).toContain('There is a tree.');
    await expect.poll(() => element.renderRoot.querySelector('utensil-call')).toHaveProperty('call.status', 'done');
    const said = (): string | undefined => element.renderRoot.querySelector('[role=status].hidden-text')?.textContent;
    await expect.poll(said).toContain('There is a **tree**.');
    const live = shown();
    expect(live.join(' ')).toContain('I look first.');
    element.run = undefined;
    element.messages = await messagesOf(stored);
    await settled(element);
    await expect.poll(shown).toEqual(live);
  });

  it('says how a run ended that failed, and how to go on', async () => {
    const going = run({
      model: scriptedModel([{ text: 'So', breaks: new Error('The server is away.') }]),
      toolset: resolveToolset(createRegistry(), emptySettings, {}),
      messages: 'Hi',
    });
    const element = await thread(UtensilThread, { run: going });
    await going.result;
    await settled(element);
    const notices = (): readonly string[] =>
      [...element.renderRoot.querySelectorAll('.notice')].map(({ textContent }) => textContent.trim());
    await expect.poll(notices).toHaveLength(1);
    expect(notices()[0]).toMatch(
      /^The service failed\. Try again in a moment\.\s*Continue\s*Details\s*The server is away\.$/,
    );
    expect(await accessibilityProblems(element)).toEqual([]);
  });

  it('shows attachments and sources, and loads nothing from the network', async () => {
    const data = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
    const messages = [
      says(
        'u',
        'user',
        { type: 'image', mediaType: 'image/gif', data },
        { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2Zz4=' },
        { type: 'image', mediaType: 'image/png', url: 'https://away.example/a.png' },
        { type: 'file', mediaType: 'application/pdf', name: 'a\u202efdp.exe', data: 'AAAA' },
        'Look.',
      ),
      says(
        'a',
        'assistant',
        'Found.',
        { type: 'source', url: 'https://one.example/x', title: 'One' },
        { type: 'source', url: 'javascript:alert(1)', title: 'Two' },
      ),
    ];
    const element = await thread(UtensilThread, { messages });
    expect([...element.renderRoot.querySelectorAll('img')].map(({ src }) => src)).toEqual([
      `data:image/gif;base64,${data}`,
    ]);
    expect([...element.renderRoot.querySelectorAll('a')].map(({ href }) => href)).toEqual([
      'https://away.example/a.png',
      'https://one.example/x',
    ]);
    expect(textIn(element.renderRoot)).toContain('a⟨U+202E⟩fdp.exe');
    expect(await accessibilityProblems(element)).toEqual([]);
  });

  it('plays whole recordings of a known type from the page itself, and none before somebody asks', async () => {
    const data = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
    const audio = (more: Partial<AudioPart>) => ({ type: 'audio', mediaType: 'audio/wav', ...more }) as const;
    const parts = [
      audio({ data, name: 'a\u202egpj.wav' }),
      audio({ data, mediaType: 'text/html' }),
      audio({ data: 'no base64!' }),
      audio({ data: '' }),
      audio({ data: 'A'.repeat(14_000_004) }),
      audio({ url: 'https://away.example/a.wav' }),
      audio({ url: 'javascript:alert(1)' }),
    ];
    const element = await thread(UtensilThread, { messages: [says('u', 'user', ...parts)] });
    const players = (): readonly HTMLAudioElement[] =>
      [...element.renderRoot.querySelectorAll('utensil-recording')].flatMap((each) => [
        ...each.renderRoot.querySelectorAll('audio'),
      ]);
    await expect.poll(players).toHaveLength(1);
    const [player] = players();
    const first = player?.src ?? '';
    expect(first).toMatch(/^blob:/);
    expect(player).toMatchObject({ autoplay: false, controls: true, preload: 'none', paused: true });
    const link = element.renderRoot.querySelector<HTMLAnchorElement>('a');
    expect([link?.href, element.renderRoot.querySelectorAll('a').length]).toEqual(['https://away.example/a.wav', 1]);
    const said = textIn(element.renderRoot);
    expect(said).toContain('a⟨U+202E⟩gpj.wav');
    for (const shown of ['Audio', 'audio/wav', 'text/html']) expect(said).toContain(shown);
    expect(await accessibilityProblems(element)).toEqual([]);
    const revoke = vi.spyOn(URL, 'revokeObjectURL');
    const place = element.parentElement;
    element.remove();
    expect(revoke.mock.calls).toEqual([[first]]);
    place?.append(element);
    await expect.poll(() => players()[0]?.src).toMatch(/^blob:/);
    expect(players()[0]?.src).not.toBe(first);
  });

  it('shows links to resources with their address, of which those to the web can be followed', async () => {
    const link = (uri: string, more: Partial<ResourceLinkPart> = {}) =>
      ({ type: 'resource-link', uri, name: 'report', ...more }) as const;
    const known = { title: 'bank.example', description: 'Of June.', mediaType: 'application/pdf', size: 2_048 };
    const parts = [
      link('https://evil.example/a', known),
      link('HTTP://plain.example/b'),
      link('javascript:alert(1)'),
      link('file:///etc/passwd'),
      link('mailto:a@evil.example'),
      link('https://user:password@evil.example/'),
      link(' data:text/html,<b>', { name: `x\u202e${'y'.repeat(5_000)}`, size: Number.NaN }),
    ];
    const element = await thread(UtensilThread, { messages: [says('u', 'user', ...parts)] });
    const all = [...element.renderRoot.querySelectorAll('.resource')];
    expect(all).toHaveLength(parts.length);
    expect(all.flatMap((each) => [...each.querySelectorAll('a')].map(({ href, rel }) => [href, rel]))).toEqual([
      ['https://evil.example/a', 'noopener noreferrer nofollow'],
      ['http://plain.example/b', 'noopener noreferrer nofollow'],
    ]);
    const words = all.map((each) => textIn(each).replaceAll(/\s+/g, ' ').trim());
    expect(words[0]).toBe('bank.example report · application/pdf · 2 kB Of June. https://evil.example/a');
    expect(words[2]).toContain('javascript:alert(1)');
    expect(words.at(-1)).toMatch(/^x⟨U\+202E⟩y{198}… data:text\/html,<b>$/);
    expect(await accessibilityProblems(element)).toEqual([]);
  });

  it('a file could have the name of another host than the one it comes from', async () => {
    const file = (name: string) =>
      ({ type: 'file', mediaType: 'text/html', name, url: 'https://evil.example/x' }) as const;
    const element = await thread(UtensilThread, {
      messages: [says('u', 'user', file('bank。example'), file('plan.pdf'))],
    });
    const chips = [...element.renderRoot.querySelectorAll('.chip')].map(({ textContent }) => textContent.trim());
    expect(chips[0]).toMatch(/^bank。example\s*evil\.example/);
    expect(chips[1]).not.toContain('evil.example');
    expect(await accessibilityProblems(element)).toEqual([]);
  });

  it('runs no code in any text', async () => {
    const bad =
      '<script>globalThis.hit = 1</script><img src=x onerror="globalThis.hit = 1">[a](javascript:globalThis.hit=1)';
    const messages = [
      says('u', 'user', bad),
      says('a', 'assistant', { type: 'reasoning', text: bad }, bad, callOf(bad)),
      resultOf(bad, bad),
    ];
    const element = await thread(UtensilThread, { messages });
    for (const each of element.renderRoot.querySelectorAll('utensil-markdown'))
      expect(each.shadowRoot?.querySelectorAll('script, img, a')).toHaveLength(0);
    expect(element.renderRoot.querySelectorAll('script, img, a')).toHaveLength(0);
    expect(textIn(element.renderRoot)).toContain('<script>globalThis.hit = 1</script>');
    expect('hit' in globalThis).toBe(false);
  });

  it('goes to a message and focuses it, and keeps it in the page while it has the focus', async () => {
    const element = await thread(UtensilThread, { messages: mixed(2_000) });
    expect(await element.scrollToMessage('nobody')).toBe(false);
    expect(await element.scrollToMessage('a100')).toBe(true);
    const row = (element.renderRoot as ShadowRoot).activeElement;
    expect(textIn(row as HTMLElement)).toContain('Answer 100');
    element.scrollToEnd();
    await settled(element);
    expect(distanceToEnd(element)).toBeLessThan(50);
    expect((element.renderRoot as ShadowRoot).activeElement).toBe(row);
  });

  it('goes to both ends by keyboard', async () => {
    const element = await thread(UtensilThread, { messages: mixed(500) });
    scrollerOf(element).focus();
    await userEvent.keyboard('{Home}');
    await settled(element);
    expect(scrollerOf(element).scrollTop).toBe(0);
    await userEvent.keyboard('{End}');
    await settled(element);
    expect(distanceToEnd(element)).toBeLessThan(50);
    await userEvent.keyboard('{PageUp}');
    await expect.poll(() => distanceToEnd(element)).toBeGreaterThan(200);
  });

  it('shows a result of five megabytes without having all of it in the page', async () => {
    const messages = [
      says('u', 'user', 'Go'),
      says('a', 'assistant', callOf('x')),
      resultOf('x', 'line of output\n'.repeat(350_000)),
    ];
    const element = await thread(UtensilThread, { messages });
    const call = element.renderRoot.querySelector('utensil-call') as
      | (HTMLElement & { call: { result: { output: string } } })
      | null;
    expect(call?.call.result.output.length).toBeGreaterThan(5_000_000);
    expect(textIn(element.renderRoot).length).toBeLessThan(100_000);
    expect(await accessibilityProblems(element)).toEqual([]);
  });

  it('stays as high as the screen if nobody gives it a height', async () => {
    const element = await mount(UtensilThread, { messages: mixed(5_000) });
    await settled(element);
    expect(element.getBoundingClientRect().height).toBeLessThanOrEqual(innerHeight);
    expect(rowsIn(element).length).toBeLessThan(40);
  });

  it('says that nothing has been said, and begins again with another thread', async () => {
    const element = await thread(UtensilThread, { messages: [] });
    expect(textIn(element.renderRoot)).toContain('No messages yet');
    expect(await accessibilityProblems(element)).toEqual([]);
    element.messages = mixed(300);
    await settled(element);
    expect(distanceToEnd(element)).toBeLessThan(50);
    scrollerOf(element).scrollTop = 0;
    await settled(element);
    element.messages = mixed(300).map((message) => ({ ...message, id: `other ${message.id}` }));
    await settled(element);
    expect(distanceToEnd(element)).toBeLessThan(50);
  });

  it('works in dark, from right to left, and on a narrow screen', async () => {
    document.documentElement.style.colorScheme = 'dark';
    document.body.style.background = '#17181c';
    document.documentElement.dir = 'rtl';
    onTestFinished(() => {
      document.documentElement.removeAttribute('style');
      document.body.removeAttribute('style');
      document.documentElement.removeAttribute('dir');
    });
    await page.viewport(320, 640);
    const element = await thread(UtensilThread, { messages: mixed(60), live: streaming(['سلام']) });
    expect(await accessibilityProblems(element)).toEqual([]);
    expect(scrollerOf(element).scrollWidth).toBeLessThanOrEqual(scrollerOf(element).clientWidth);
  });
});

describe('what a person has begun', () => {
  it('keeps what was opened and written if its message is scrolled out of view', async () => {
    const ask = defineTool({ name: 'ask', description: 'd', input: jsonSchema({ type: 'object' }), effects: 'read' });
    const registry = createRegistry([ask]);
    const going = run({
      model: scriptedModel([{ calls: [{ name: 'ask' }] }, { text: 'Thanks.' }]),
      toolset: resolveToolset(registry, emptySettings, {}),
      messages: 'Ask me.',
    });
    const before = [...mixed(300), says('c', 'assistant', callOf('c1')), resultOf('c1', 'seen')];
    const element = await thread(UtensilThread, { messages: before, run: going, registry });
    await expect.poll(() => element.renderRoot.querySelector('utensil-approval')).not.toBeNull();
    await settled(element);
    await page.getByRole('textbox', { name: 'Your answer' }).fill('I am about to');
    const call = element.renderRoot.querySelector<HTMLElement & { open: boolean }>('utensil-call');
    if (call) call.open = true;
    await settled(element);
    (document.activeElement as HTMLElement).blur();
    scrollerOf(element).scrollTop = 0;
    await settled(element);
    expect(rowsIn(element)[0]?.ariaPosInSet).toBe('1');
    element.scrollToEnd();
    await settled(element);
    await expect.element(page.getByRole('textbox', { name: 'Your answer' })).toHaveValue('I am about to');
    expect(element.renderRoot.contains(call)).toBe(true);
    going.abort();
    await going.result;
  });

  it('gives what is attached as a file', async () => {
    const saved: (readonly [name: string, href: string])[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push([this.download, this.href]);
    });
    onTestFinished(() => click.mockRestore());
    const file: Part = {
      type: 'file',
      name: 'a\u202etxt.xhtml',
      mediaType: 'application/xhtml+xml',
      data: btoa('<b>hi</b>'),
    };
    await thread(UtensilThread, { messages: [says('u', 'user', 'See', file)] });
    await page.getByRole('button', { name: /^Download/ }).click();
    const [name = '', href = ''] = saved[0] ?? [];
    expect(name).toBe('a⟨U+202E⟩txt.xhtml');
    const content = await fetch(href);
    expect([await content.text(), content.headers.get('content-type')]).toEqual([
      '<b>hi</b>',
      'application/octet-stream',
    ]);
  });
});

it('shows the last of ten thousand calls in one message, questions about the others, and more on demand', async () => {
  const calls = Array.from({ length: 10_000 }, (_, at) => callOf(`k${at}`));
  const element = await thread(CountingThread, {
    messages: [says('a', 'assistant', ...calls), says('u', 'user', 'Go')],
  });
  const shown = (): number => element.renderRoot.querySelectorAll('utensil-call').length;
  expect(shown()).toBe(100);
  const button = element.renderRoot.querySelector<HTMLElement>('.earlier');
  expect(button?.textContent.trim()).toBe('Show 9,900 earlier');
  const last = [...element.renderRoot.querySelectorAll('utensil-call')].at(-1);
  button?.click();
  await settled(element);
  expect(shown()).toBe(300);
  expect([...element.renderRoot.querySelectorAll('utensil-call')].at(-1)).toBe(last);
  const asked = { callId: 'k5', name: 'look', title: 'Look', input: {} };
  const question = { ...asked, questionId: 'q', kind: 'approval', runId: 'r', effects: 'write' } as const;
  element.live = { ...noRun, runId: 'r', earlierCalls: [{ ...asked, status: 'asking', question, inner: [] }] };
  await settled(element);
  expect(element.renderRoot.querySelector('utensil-approval')).toHaveProperty('question', question);
  expect(await accessibilityProblems(element)).toEqual([]);
});

it('puts how an answer ended after the buttons of its message', async () => {
  const messages = [says('u', 'user', 'α'), { ...says('a', 'assistant', 'β'), incomplete: true as const }];
  const element = await mount(UtensilThread, { messages });
  element.style.blockSize = '500px';
  await expect.poll(() => element.renderRoot.querySelector('.notice')).not.toBeNull();
  const order = [...element.renderRoot.querySelectorAll('.assistant .foot, .assistant .notice')];
  expect(order.map((each) => each.classList[0])).toEqual(['foot', 'notice']);
});

it('stays at the end if its place becomes lower, as when a composer grows', async () => {
  const messages = Array.from({ length: 30 }, (_, at) =>
    says(String(at), at % 2 === 0 ? 'user' : 'assistant', `α ${at}`),
  );
  const element = await mount(UtensilThread, { messages });
  element.style.blockSize = '500px';
  const rest = (): number => {
    const { scroller } = element;
    return scroller === null ? -1 : scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  };
  await expect.poll(() => Math.abs(rest())).toBeLessThan(2);
  for (const height of ['430px', '300px']) {
    element.style.blockSize = height;
    await expect.poll(() => element.scroller?.clientHeight).toBeLessThanOrEqual(Number.parseInt(height, 10));
    await expect.poll(() => Math.abs(rest())).toBeLessThan(2);
  }
});
