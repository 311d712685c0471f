import { spawnSync } from 'node:child_process';
import type { Answered, WorkspaceJob } from './job.ts';

const program = 'rg';

/**
 * Version of ripgrep.
 *
 * @throws if ripgrep is not installed
 */
export function ripgrepVersion(command = program): string {
  const { error, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  if (error !== undefined)
    throw new Error(
      `There is no ripgrep to compare with: "${command}" does not run. Install it (apt-get install ripgrep, brew install ripgrep, winget install BurntSushi.ripgrep.MSVC), so that it is on the PATH.`,
    );
  return stdout.split('\n', 1).join('');
}

/** Runs ripgrep with its defaults; measures the whole process. */
export function askRipgrep({ root, question, times }: WorkspaceJob): readonly Answered[] {
  const { kind, pattern, isLiteral = false } = question;
  const search = isLiteral ? ['--fixed-strings', pattern, '.'] : [pattern, '.'];
  const words = kind === 'glob' ? ['--files', '--glob', pattern] : search;
  return Array.from({ length: times }, () => {
    const started = performance.now();
    const { status, stdout } = spawnSync(program, ['--no-config', ...words], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ms = performance.now() - started;
    if (status !== 0 && status !== 1) throw new Error(`ripgrep failed, with status ${status}.`);
    return { ms, found: stdout.split('\n').length - 1 };
  });
}
