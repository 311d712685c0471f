import type { ShellCommand, ShellExit } from '@utensil/core';
import type { Followed } from './follow.ts';

const [begin, end] = ['>>>>> OUTPUT:', '<<<<< END OF OUTPUT'];

/** Report on a command for the model: its state and its output. */
export function reportOf(command: ShellCommand, { output, exit }: Followed, now: number): string {
  const lines = exit === undefined ? runningLines(command, now) : exitLines(exit);
  const after =
    exit === undefined
      ? [`It is still running: write_stdin waits for more output, writes to its input, or stops it.`]
      : [];
  return [...lines, begin, ...(output === '' ? [] : [withoutFrame(output)]), end, ...after].join('\n');
}

/** True if a command has ended and failed. */
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

/** The elapsed time makes each report different, so that waiting is not mistaken for a repetition loop. */
function runningLines({ id, startedAt }: ShellCommand, now: number): readonly string[] {
  return [`Status: Running for ${(Math.max(0, now - startedAt) / 1_000).toFixed(1)} s`, `Session: ${id}`];
}

/** Escapes lines that look like our own end marker, so that output cannot imitate the report. */
function withoutFrame(output: string): string {
  const text = output.endsWith('\n') ? output.slice(0, -1) : output;
  return text.replaceAll(/^(?=<<<<< END OF OUTPUT)/gm, '\\');
}

/** One-line status for people. */
export function statusOf(report: string): string {
  const [status = '', next = ''] = report.split('\n');
  const state = status.replace('Status: ', '');
  return state === 'Failed' && next !== begin ? `${state}: ${next.toLowerCase()}` : state;
}
