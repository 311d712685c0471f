// The tools with the real shell: in bubblewrap where that works, and always without.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry, emptySettings, resolveToolset, run, runTool, textOf } from '@utensil/core';
import { withEnabled } from '@utensil/core/settings';
import type { Json, JsonObject, Shell } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { executeCommandTool, writeStdinTool } from '@utensil/tool-workspace';
import { afterEach, describe, expect, it } from 'vitest';
import { findBubblewrap } from './test-kit/bubblewrap.ts';
import { alive, nap, shells } from './test-kit/shells.ts';

const { open, close } = shells();
afterEach(close);

const found = await findBubblewrap();
const bubblewrap = 'program' in found ? found.program : '';

const toolsOf = (shell: Shell) => ({
  execute: async (input: JsonObject) =>
    textOf((await runTool(executeCommandTool, input, { host: { shell } })).modelParts),
  write: async (input: JsonObject) => textOf((await runTool(writeStdinTool, input, { host: { shell } })).modelParts),
});

/** Polls a session until its reports have `part`. */
async function pollFor(
  write: (input: JsonObject) => Promise<string>,
  session_id: string,
  part: string,
): Promise<string> {
  for (let all = ''; ;) {
    const report = await write({ session_id, yield_time_ms: 250 });
    all += report;
    if (all.includes(part)) return report;
    if (!report.startsWith('Status: Running')) throw new Error(`It ended without ${part}: ${all}`);
  }
}

const sessionIn = (text: string): string => /^Session: (.+)$/m.exec(text)?.[1] ?? '';

it.each([
  [
    '[S2-33] a command runs in a login shell, in a sandbox that can change the project where there is one, streams its output, and may go on in a session',
    'program' in found ? 'required' : 'none',
  ],
  ['a command does the same without a sandbox, where the app says so', 'none'],
] as const)('%s', async (_, sandbox) => {
  const { root, shell } = open({ login: true, shell: '/bin/bash', bubblewrap, sandbox, env: { HOME: '/' } });
  const updates: Json[] = [];
  const settings = withEnabled(emptySettings, executeCommandTool, true);
  const toolset = resolveToolset(createRegistry([executeCommandTool]), settings, { shell });
  const { signal } = new AbortController();
  const context = { projectId: 'p', runId: 'r', callId: 'c', signal, progress: (update: Json) => updates.push(update) };
  const execute = async (input: JsonObject) => {
    const { modelParts } = await toolset.execute({ name: 'execute_command', input }, context);
    return textOf(modelParts);
  };

  expect(await execute({ command: 'mkdir src; cd src; printf "\\033[32mok\\033[0m\\n" | tee a.txt' })).toBe(
    'Status: Success\nExit code: 0\n>>>>> OUTPUT:\nok\n<<<<< END OF OUTPUT',
  );
  expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toContain('ok');
  expect(updates).toEqual([{ output: 'ok\n' }]); // streamed
  expect(await execute({ command: 'pwd -P; ls nowhere 2> /dev/null', cwd: 'src' })).toBe(
    `Status: Failed\nExit code: 2\n>>>>> OUTPUT:\n${root}/src\n<<<<< END OF OUTPUT`,
  );
  expect(await execute({ command: 'shopt -q login_shell && echo login' })).toContain('\nlogin\n');
  expect(await execute({ command: 'test -t 1 && echo terminal', tty: true })).toContain('\nterminal\n');

  const text = await execute({ command: 'cat', yield_time_ms: 250 });
  expect(text).toMatch(/^Status: Running for .*\nSession: .*\n>>>>> OUTPUT:\n<<<<< END OF OUTPUT\nIt is still running/);
  expect(shell.find(sessionIn(text))?.command).toBe('cat');
});

describe('a session', () => {
  it('[S2-34] is written to, polled for new output, and reports its end once', async () => {
    const { execute, write } = toolsOf(open().shell);
    const text = await execute({
      command: 'while read a; do echo "<$a>"; done; echo over; exit 4',
      yield_time_ms: 250,
    });
    const session_id = sessionIn(text);
    const written = await write({ session_id, chars: 'one\n', yield_time_ms: 250 });
    const first = written.includes('<one>') ? written : await pollFor(write, session_id, '<one>');
    expect(first).toMatch(/^Status: Running for .*\nSession: .*\n>>>>> OUTPUT:\n<one>\n<<<<< END OF OUTPUT/);
    expect(await write({ session_id, yield_time_ms: 250 })).toMatch(/>>>>> OUTPUT:\n<<<<< END OF OUTPUT/);
    expect(await write({ session_id, chars: 'three\n\u0004', yield_time_ms: 30_000 })).toBe(
      'Status: Failed\nExit code: 4\n>>>>> OUTPUT:\n<three>\nover\n<<<<< END OF OUTPUT',
    );
    expect(await write({ session_id })).toBe(
      `No command runs in session "${session_id}": it has ended and was reported, or never existed.`,
    );
  });

  it('[S2-34] has a terminal where that was asked for, and keys that interrupt', async () => {
    const { execute, write } = toolsOf(open().shell);
    const greeting = 'read name; echo "hello $name"; sleep 90';
    const session_id = sessionIn(await execute({ command: greeting, tty: true, yield_time_ms: 250 }));
    const written = await write({ session_id, chars: 'Ada\n', yield_time_ms: 250 });
    if (!written.includes('hello Ada')) await pollFor(write, session_id, 'hello Ada');
    expect(await write({ session_id, chars: '\u0003', yield_time_ms: 30_000 })).toMatch(
      /^Status: Failed\nExit code: 130/,
    );
  });

  it('that has ended meanwhile still tells what it printed', async () => {
    const { execute, write } = toolsOf(open().shell);
    const session_id = sessionIn(await execute({ command: 'sleep 1; echo late', yield_time_ms: 250 }));
    expect(await write({ session_id })).toBe('Status: Success\nExit code: 0\n>>>>> OUTPUT:\nlate\n<<<<< END OF OUTPUT');
  });

  it('is stopped with its child processes', async () => {
    const sleep = nap();
    const { execute, write } = toolsOf(open().shell);
    const session_id = sessionIn(await execute({ command: `setsid ${sleep} & ${sleep}`, yield_time_ms: 250 }));
    expect(await write({ session_id, stop: true })).toMatch(/^Status: Failed\nEnded by signal: SIGTERM/);
    await expect.poll(() => alive(sleep)).toBe(0);
  });
});

describe('in a run', () => {
  it('an abort ends the command with its child processes', async () => {
    const sleep = nap();
    const { shell } = open();
    const settings = withEnabled(emptySettings, executeCommandTool, true);
    const toolset = resolveToolset(createRegistry([executeCommandTool]), settings, { shell });
    const input = { command: `setsid ${sleep} & echo ready; ${sleep}` };
    const model = scriptedModel([{ calls: [{ name: 'execute_command', input }] }]);
    const turn = run({ model, toolset, messages: 'go' });
    for await (const event of turn.events()) if (event.type === 'tool-progress') turn.abort();
    expect((await turn.result).status).toBe('aborted');
    await expect.poll(() => alive(sleep)).toBe(0);
  });

  it('a flood of output is bounded for the model and for the app', async () => {
    const { shell } = open();
    const { output, modelParts } = await runTool(
      executeCommandTool,
      { command: 'yes bread | head -c 20000000; echo; echo end' },
      { host: { shell } },
    );
    const text = textOf(modelParts);
    expect(text.length).toBeLessThan(31_000);
    expect(String(output).length).toBeLessThan(201_000);
    expect(text).toMatch(/^Status: Success\nExit code: 0\n>>>>> OUTPUT:\nbread\n/);
    expect(text).toMatch(/end\n<<<<< END OF OUTPUT$/);
  });
});
