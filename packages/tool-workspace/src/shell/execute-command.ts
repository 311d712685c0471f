import { defineTool, result, host } from '@utensil/core';
import * as z from 'zod/mini';
import { follow } from './follow.ts';
import { visible } from './plain-text.ts';
import { hasFailed, reportOf, statusOf } from './texts.ts';
import { yieldTime } from './yield-time.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    command: z.string().check(z.describe('The command line, for a POSIX shell such as bash.')),
    cwd: z.optional(
      z.string().check(z.describe('The directory to run it in, relative to the project. Default: the project.')),
    ),
    tty: z.optional(
      z.boolean().check(z.describe('Runs it in a terminal, for programs that require one. Default false.')),
    ),
    yield_time_ms: z.optional(
      z.int().check(z.describe('Milliseconds to wait for its end, 250 to 30000. Default 10000.')),
    ),
  }),
);

/**
 * Runs a command line in the shell of the host. A long-running one continues in a session, for {@link writeStdinTool}.
 * Off until the user enables it.
 *
 * @example
 * ```ts no-run
 * import { runTool } from '@utensil/core';
 * import { localShell } from '@utensil/local-shell';
 * import { executeCommandTool } from '@utensil/tool-workspace';
 *
 * const shell = localShell({ root: './project' });
 * const { output } = await runTool(executeCommandTool, { command: 'ls' }, { host: { shell } });
 * console.log(output); // Status: Success …
 * ```
 */
export const executeCommandTool = /* @__PURE__ */ defineTool({
  name: 'execute_command',
  title: 'Command',
  description:
    'Runs a command line in the project and returns its exit code and output. If it has not ended after yield_time_ms, it continues in a session: write_stdin waits for it, writes to it or stops it. Background processes end with the command, so keep a server in the foreground.',
  input,
  ui: { subtitle: 'Runs commands on this machine', icon: '💻', category: 'code' },
  defaultEnabled: false,
  effects: 'destructive',
  openWorld: true,
  requires: { shell: host.shell },
  timeoutMs: 0, // the session continues
  outputLimit: 30_000,
  prompt: (_, { host }) =>
    host.shell.sandbox === undefined
      ? "Commands of execute_command run on the user's machine without a sandbox."
      : `Commands of execute_command run in a sandbox: ${host.shell.sandbox}. If that is an obstacle, tell the user.`,
  preview: ({ command, cwd, tty = false }, _, { host }) => ({
    type: 'command',
    command: visible(command),
    directory: visible(cwd ?? '.'),
    terminal: tty,
    sandbox:
      host.shell.sandbox === undefined
        ? 'No sandbox: the command can do whatever the app can.'
        : `In a sandbox: ${host.shell.sandbox}.`,
  }),
  async execute({ command: line, cwd, tty = false, yield_time_ms }, _, { host, signal, progress, now }) {
    if (line.trim() === '') return result({ output: 'The command is empty.', isError: true });
    const command = await host.shell.start({ command: line, tty, ...(cwd !== undefined && { cwd }) });
    const ms = yieldTime('execute', yield_time_ms);
    const followed = await follow(command, { signal, ms, progress });
    return result({ output: reportOf(command, followed, now()), isError: hasFailed(followed.exit) });
  },
  render: {
    title: ({ command }) => visible(typeof command === 'string' ? command : ''),
    status: (output) => statusOf(String(output)),
  },
});
