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
