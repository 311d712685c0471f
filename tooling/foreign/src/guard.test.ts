// A guarded toolset has the same outcome in whichever loop its calls are made.

import {
  createRegistry,
  defineTool,
  emptySettings,
  type JsonObject,
  memoryGrants,
  permissions,
  type QuestionAnswer,
  resolveToolset,
} from '@utensil/core';
import { guard, type GuardOptions, type Rule, rulesPolicy } from '@utensil/core/guard';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { loops, question } from './guard-loops.ts';
import { foreignServer } from './server.ts';

interface Made {
  readonly name: 'save' | 'read' | 'fetch' | 'erase' | 'both' | 'gone';
  readonly input: JsonObject;
}

/** Calls of a model, one a turn, with their outcomes: whether each ran, and its error code, if any. */
interface Scene {
  readonly calls: readonly Made[];
  readonly policy?: GuardOptions['policy'];
  readonly rules?: readonly Rule[];
  readonly answers?: readonly QuestionAnswer[];
  readonly options?: Partial<GuardOptions>;
  readonly ran: readonly string[];
  readonly codes: readonly string[];
  readonly asked?: number;
}

const save = (path: string): Made => ({ name: 'save', input: { path } });
const made = (name: Made['name'], path = 'a'): Made => ({ name, input: { path } });

const scenes: Readonly<Record<string, Scene>> = {
  'what is allowed runs': { calls: [made('read')], ran: ['read a'], codes: [''] },
  'what a person allows runs, once': {
    calls: [save('a'), save('b')],
    answers: ['once', 'deny'],
    ran: ['save a'],
    codes: ['', 'tool_denied user'],
    asked: 2,
  },
  'what is allowed for the session is not asked about again': {
    calls: [save('a'), save('b')],
    answers: ['run'],
    ran: ['save a', 'save b'],
    codes: ['', ''],
    asked: 1,
  },
  'what is allowed for good is kept': {
    calls: [save('a'), save('b')],
    answers: ['always'],
    options: { grants: memoryGrants() },
    ran: ['save a', 'save b'],
    codes: ['', ''],
    asked: 1,
  },
  'a rule denies a file, and nobody is asked': {
    calls: [save('.env'), save('src/../.env.local'), save('src/a')],
    rules: [
      { decision: 'deny', when: [{ field: 'path', path: '.env*' }] },
      { decision: 'allow', tool: 'save', when: [{ field: 'path', path: 'src/**' }] },
    ],
    ran: ['save src/a'],
    codes: ['tool_denied policy', 'tool_denied policy', ''],
    asked: 0,
  },
  'a person cannot allow what the policy denies': {
    calls: [save('a')],
    rules: [{ decision: 'deny', when: [{ field: 'path', path: '.env*' }] }],
    answers: [{ input: { path: '.env' } }],
    ran: [],
    codes: ['tool_denied policy'],
    asked: 1,
  },
  'a person changes the input': {
    calls: [save('a')],
    answers: [{ input: { path: 'b' } }],
    ran: ['save b'],
    codes: [''],
  },
  'a policy that throws denies': {
    calls: [save('a')],
    policy: () => {
      throw new Error('no rules');
    },
    ran: [],
    codes: ['tool_denied policy'],
  },
  'what nobody answers does not run': {
    calls: [save('a')],
    answers: [],
    ran: [],
    codes: ['tool_denied nobody'],
    asked: 1,
  },
  'calls that repeat themselves are refused': {
    calls: [made('read'), made('read'), made('read')],
    options: { limits: { repeats: 2 } },
    ran: ['read a', 'read a'],
    codes: ['', '', 'call_repeated'],
  },
  'strangers’ words make a grant too little': {
    calls: [made('erase', 'a'), made('erase', 'b'), made('fetch'), made('erase', 'c')],
    answers: ['run', 'once', 'deny'],
    ran: ['erase a', 'erase b', 'fetch a'],
    codes: ['', '', '', 'tool_denied user'],
    asked: 3,
  },
  'calls of tools are asked about too': {
    calls: [made('both')],
    answers: ['once', 'deny'],
    ran: ['save a'],
    codes: [''],
    asked: 2,
  },
  'a tool that is not there is unknown': { calls: [made('gone')], ran: [], codes: ['unknown_tool'], asked: 0 },
};

/** Tools that note what they do. */
function toolsOf(ran: string[]) {
  const input = z.toJSONSchema(z.object({ path: z.string() }));
  const noting = (name: string, more: object) =>
    defineTool({
      name,
      description: name,
      input,
      effects: 'read',
      execute({ path }) {
        ran.push(`${name} ${path}`);
        return 'done';
      },
      ...more,
    });
  const both = defineTool({
    name: 'both',
    description: 'Saves a and b.',
    input,
    effects: 'read',
    async execute(_input, _options, { call }) {
      const results = [await call('save', { path: 'a' }), await call('save', { path: 'b' })];
      return results.map(({ code }) => code ?? 'saved');
    },
  });
  return [
    noting('save', { effects: 'write' }),
    noting('read', {}),
    noting('fetch', { openWorld: true }),
    noting('erase', { effects: 'destructive' }),
    both,
  ];
}

describe.each(loops)('in $name', ({ play }) => {
  it.each(Object.entries(scenes))('%s', async (_, scene) => {
    await using server = await foreignServer();
    for (const [turn, { name, input }] of scene.calls.entries())
      server.mock.on({ userMessage: question, turnIndex: turn }, { toolCalls: [{ name, arguments: { ...input } }] });
    server.mock.on({ userMessage: question, turnIndex: scene.calls.length }, { content: 'Done.' });
    const ran: string[] = [];
    const answers = [...(scene.answers ?? [])];
    let asked = 0;
    const toolset = guard(resolveToolset(createRegistry(toolsOf(ran)), emptySettings, {}), {
      policy: scene.policy ?? rulesPolicy(scene.rules ?? [], { otherwise: permissions('write') }),
      ask() {
        asked++;
        const answer = answers.shift();
        if (answer === undefined) throw new Error('Nobody is there.');
        return answer;
      },
      ...(scene.options?.grants && { grants: memoryGrants() }),
      ...(scene.options?.limits && { limits: scene.options.limits }),
    });
    const outcomes = await play(toolset, server.url);
    const codes = outcomes.map(({ code, deniedBy }) => `${code} ${deniedBy}`.trim());
    expect({ ran, codes }).toEqual({ ran: scene.ran, codes: scene.codes });
    expect(asked).toBe(scene.asked ?? asked);
  });
});
