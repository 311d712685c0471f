// Questions of tools and of agents to the person, in the real program.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@utensil/core';
import { loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { expect, it } from 'vitest';
import { demo, startDemo, temporaryFolder } from './test-kit/spawn-demo.ts';

const env = { ANTHROPIC_API_KEY: 'k' };

/** A model that makes these calls, one in each turn, and then answers. */
function caller(calls: readonly { readonly name: string; readonly input: JsonObject }[]) {
  return loopback((_, index) => {
    const call = calls[index];
    const part = call ? { type: 'tool_use', id: `call-${index}`, ...call } : { type: 'text', text: 'Thanks.' };
    return { body: anthropicStream([part]) };
  });
}

const question = {
  name: 'ask_user',
  input: { question: 'Which color is the bicycle to have, in your opinion?', options: ['red', 'blue'] },
};

const prompt = 'Your answer (Enter skips): ';

it.each([
  ['2', 'blue'],
  ['green, please', 'green, please'],
])('passes the answer to a question of a tool on: %s', async (typed, answer) => {
  await using server = await caller([question]);
  await using folder = await temporaryFolder();
  const input = `Paint it.\n${typed}\n`;
  const { code, output, errors } = await demo(['--folder', folder.path, '--base-url', server.url], { env, input });
  expect({ code, output }).toEqual({ code: 0, output: 'Thanks.\n' });
  expect(errors).toContain(
    `  Which color is the bicycle to have, in your opinion?\n  1  red\n  2  blue\n  ${prompt}${typed}\n`,
  );
  expect(server.requests[1]?.body).toContain(answer);
});

it.each([
  ['a request that stands alone', ['Paint it.'], ''],
  ['lines that have no answer', [], 'Paint it.\n'],
])('leaves a question of a tool unanswered instead of hanging: %s', async (_, words, input) => {
  await using server = await caller([question]);
  await using folder = await temporaryFolder();
  const given = ['--folder', folder.path, '--base-url', server.url, ...words];
  const { code, output, errors } = await demo(given, { env, input });
  expect({ code, output }).toEqual({ code: 3, output: 'Thanks.\n' });
  expect(errors).toContain('Error: Declined, because nobody is here to ask.');
});

/** An agent that writes, or asks. */
const agent = { name: 'spawn_agent', input: { task: 'Do it.', mode: 'default', files: [] } };
const writing = { name: 'write_file', input: { path: 'a.md', content: 'x\n' } };

it.each([
  ['y', 'y', true],
  ['n', 'n', false],
  ['no line at all', undefined, false],
])('asks about the changes of an agent, a run inside the run: %s', async (_, typed, isThere) => {
  await using server = await caller([agent, writing]);
  await using folder = await temporaryFolder();
  const lines = ['/enable spawn_agent', '/option spawn_agent files project', 'Go on.', 'y', typed];
  const input = lines.flatMap((line) => (line === undefined ? [] : [`${line}\n`])).join('');
  const { code, errors } = await demo(['--folder', folder.path, '--base-url', server.url], { env, input });
  expect(errors).toContain('📝 Write a.md\n  path a.md\n  + x\n  Allow this action?');
  expect({ code, isThere: existsSync(join(folder.path, 'a.md')) }).toEqual({ code: isThere ? 0 : 3, isThere });
});

it('puts a question of an agent to the person at the terminal', async () => {
  await using server = await caller([agent, question]);
  await using folder = await temporaryFolder();
  await using running = startDemo(['--folder', folder.path, '--base-url', server.url, '--yes'], { env });
  for (const line of ['/enable spawn_agent', 'Go on.']) running.write(line);
  await running.until(prompt);
  running.write('red');
  await running.until('Thanks.');
  expect(server.requests[2]?.body).toContain('red');
});
