// A divergence names the entry, the call, the field, and both values.
import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../../schema/json-schema.ts';
import { tool, toolsetOf } from '../../test-kit/runs.ts';
import { exportThread } from '../../thread/export-thread.ts';
import { memoryThread } from '../../thread/memory-thread.ts';
import type { Tool } from '../../tool/tool.ts';
import { permissions } from '../../run/permission/policy.ts';
import { run } from '../../run/lazy-run.ts';
import { scriptedModel } from '../scripted-model.ts';
import { replayThread } from './replay-thread.ts';
import type { ReplayOptions } from './replay-thread.ts';

const look = tool('look', { render: { title: 'Look' } });
const save = tool('save', { effects: 'write' });

/** A run that looks, saves what a person has allowed, and answers. */
async function report(): Promise<string> {
  const thread = memoryThread('t');
  const model = scriptedModel([
    { calls: [{ name: 'look' }, { name: 'save', input: { text: 'a' } }] },
    { text: 'Saved.' },
  ]);
  const policy = permissions('write');
  const running = run({ model, toolset: toolsetOf([look, save]), thread, messages: 'Save it.', policy });
  for await (const event of running.events())
    if (event.type === 'approval-request') running.answer(event.questionId, 'once');
  return exportThread(thread);
}

async function divergenceOf(changed: Partial<ReplayOptions>, edit: (text: string) => string = (text) => text) {
  const { divergence } = await replayThread(edit(await report()), { toolset: [look, save], ...changed });
  return divergence?.message;
}

const without = (part: string) => (text: string) => {
  const lines = text.split('\n').filter((line, index) => index === 0 || !line.includes(part));
  return lines.join('\n').replace(/"lines":\d+/, `"lines":${lines.length - 2}`);
};
const strict = jsonSchema({ type: 'object', properties: { path: { type: 'string' } }, required: ['path'] });
const changed = (of: Tool, more: Partial<Tool>): Partial<ReplayOptions> => ({
  toolset: [look, save].map((each) => (each === of ? { ...each, ...more } : each)),
});

describe('a divergence is named', () => {
  it.each([
    [
      'a tool that is gone',
      { toolset: [save] },
      /^Entry \d+ \(the result of call "call-1" of "look"\): .*Unknown tool: look/,
    ],
    ['an input that is no longer valid', changed(save, { input: strict }), /call "call-2"/],
    ['a title', changed(look, { render: { title: 'Peek' } }), /parts\[0\]\.title is "Peek"; stored is "Look"/],
    [
      'an effect',
      changed(save, { effects: 'destructive' }),
      /question about call "call-2".*effects is "destructive"; stored is "write"/,
    ],
    [
      'a read that changes something',
      changed(look, { effects: 'write' }),
      /"call-begun" of call "call-1" is stored; the thread has no such entry/,
    ],
    [
      'a policy that allows',
      { policy: () => 'allow' as const },
      /question about call "call-2" of "save"\) is not stored|"call-begun"/,
    ],
    ['a policy that denies', { policy: () => 'deny' as const }, /The call of tool 'look' was denied by policy/],
    ['a limit', { limits: { steps: 0 } }, /^Entry 3 \(a turn of the model\): parts\[0\] is absent; stored is /],
  ])('%s', async (_, options, message) => {
    expect(await divergenceOf(options)).toMatch(message);
  });

  it.each([
    ['the question', '"type":"question"', /^Entry \d+ \(the answer to question ".*"\) is not stored\.$/],
    [
      'a call that began',
      '"type":"call-begun"',
      /^"call-begun" of call "call-2" is stored; the thread has no such entry/,
    ],
  ])('%s, if the thread lacks it', async (_, part, message) => {
    expect(await divergenceOf({}, without(part))).toMatch(message);
  });

  it('by its number, run, step, call, field and values', async () => {
    const text = (await report()).replaceAll('"output":"save"', '"output":"lost"');
    const { divergence } = await replayThread(text, { toolset: [look, save], real: ['save'] });
    expect(divergence).toEqual({
      message: expect.stringMatching(
        /^Entry \d+ \(the result of call "call-2" of "save"\): parts\[0\]\.output is "save"; stored is "lost"\.$/,
      ),
      entry: expect.any(Number),
      runId: expect.any(String),
      step: 1,
      callId: 'call-2',
      field: 'parts[0].output',
      expected: 'lost',
      got: 'save',
    });
  });

  it('unless its field does not count', async () => {
    const options = changed(look, { render: { title: 'Peek' } });
    expect(await divergenceOf({ ...options, ignore: ['title'] })).toBeUndefined();
  });
});

it('refuses what is not a thread with runs', async () => {
  await expect(replayThread(memoryThread('t'), { toolset: [] })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(replayThread('hello', { toolset: [] })).rejects.toMatchObject({ code: 'bundle_corrupt' });
});
