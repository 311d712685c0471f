import { PassThrough } from 'node:stream';
import {
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  permissions,
  resolveToolset,
  result,
  run,
} from '@utensil/core';
import { rulesPolicy } from '@utensil/core/guard';
import { scriptedModel } from '@utensil/core/testing';
import { expect, it } from 'vitest';
import { askPerson, isQuestion } from './questions.ts';
import { createScreen } from './screen.ts';
import { openTerminal } from './terminal.ts';

const press = defineTool({
  name: 'press',
  description: 'Presses the button.',
  input: jsonSchema({ type: 'object' }),
  effects: 'write',
  execute: () => result({ output: 'pressed' }),
});

it('does not wait for an answer to a question that is closed, nor passes one on', async () => {
  const errors = new PassThrough();
  const streams = { input: new PassThrough(), output: new PassThrough(), errors };
  const terminal = openTerminal(streams, () => {});
  const screen = createScreen(terminal);
  const running = run({
    model: scriptedModel([{ calls: [{ name: 'press' }] }, { text: 'Never mind.' }]),
    toolset: resolveToolset(createRegistry([press]), emptySettings, {}),
    policy: permissions('write'),
    messages: 'Press it.',
  });
  const { signal } = new AbortController();
  const ends: string[] = [];
  for await (const event of running.events()) {
    terminal.write(screen.event(event));
    if (!isQuestion(event)) continue;
    const asking = askPerson({ terminal, screen }, running, { event, seq: event.seq, signal });
    running.send('Wait.'); // closes the question
    ends.push(await asking);
  }
  terminal.close();
  expect(ends).toEqual(['withdrawn']);
  expect((await running.result).text).toBe('Never mind.');
  expect(String(errors.read())).toContain('The question is closed: its call is over.');
});

it('does not offer to remember an answer that a rule asks for each time, and asks again if that is said all the same', async () => {
  const errors = new PassThrough();
  const input = new PassThrough();
  const terminal = openTerminal({ input, output: new PassThrough(), errors }, () => {});
  const screen = createScreen(terminal);
  const running = run({
    model: scriptedModel([{ calls: [{ name: 'press' }] }, { text: 'Pressed.' }]),
    toolset: resolveToolset(createRegistry([press]), emptySettings, {}),
    policy: rulesPolicy({ admin: [{ decision: 'ask', tool: 'press' }] }),
    messages: 'Press it.',
  });
  const { signal } = new AbortController();
  input.write('a\ny\n');
  const ends: string[] = [];
  for await (const event of running.events())
    if (isQuestion(event)) ends.push(await askPerson({ terminal, screen }, running, { event, seq: event.seq, signal }));
  terminal.close();
  expect(ends).toEqual(['answered']);
  expect((await running.result).text).toBe('Pressed.');
  const shown = String(errors.read());
  expect(shown.match(/Allow this action\? \[y\]es · \[n\]o: /g)).toHaveLength(2);
  expect(shown).not.toContain('always');
});
