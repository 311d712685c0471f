import type { ShellCommand, ShellExit } from '@utensil/core';
import type { Followed } from './follow.ts';

const [begin, end] = ['>>>>> OUTPUT:', '<<<<< END OF OUTPUT'];

/** What a model reads of a command: how it stands, and what it has written. */
export function reportOf(command: ShellCommand, { output, exit }: Followed, now: number): string {
  const lines = exit === undefined ? runningLines(command, now) : exitLines(exit);
  const after = exit === undefined ? [`It goes on: write_stdin waits for more, writes to its input, or stops it.`] : [];
  return [...lines, begin, ...(output === '' ? [] : [withoutFrame(output)]), end, ...after].join('\n');
}

/** Whether a command failed, as far as it has ended. */
export function hasFailed(exit: ShellExit | undefined): boolean {
  return exit !== undefined && exit.code !== 0;
}

function exitLines(exit: ShellExit): readonly string[] {
  const { code, signal, reason } = exit;
  return [
    `Status: ${hasFailed(exit) ? 'Failed' : 'Success'}`,
    ...(code === undefined ? [] : [`Exit code: ${code}`]),
    ...(signal === undefined ? [] : [`Ended by signal: ${signal}`]),
    ...(reason === undefined ? [] : [`Ended by the host: ${reason}`]),
  ];
}

/** The time makes each answer another, so that waiting is not taken for a model that repeats itself. */
function runningLines({ id, startedAt }: ShellCommand, now: number): readonly string[] {
  return [`Status: Running for ${(Math.max(0, now - startedAt) / 1_000).toFixed(1)} s`, `Session: ${id}`];
}

/** A line of the output that ends with our own end would have what follows taken for ours. */
function withoutFrame(output: string): string {
  const text = output.endsWith('\n') ? output.slice(0, -1) : output;
  return text.replaceAll(/^(?=<<<<< END OF OUTPUT)/gm, '\\');
}

/** One line for people. */
export function statusOf(report: string): string {
  const [status = '', next = ''] = report.split('\n');
  const state = status.replace('Status: ', '');
  return state === 'Failed' && next !== begin ? `${state}: ${next.toLowerCase()}` : state;
}
