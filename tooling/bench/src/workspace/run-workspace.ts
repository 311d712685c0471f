import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { busyMs, quiet } from '../load.ts';
import { median } from '../statistics.ts';
import { type Question, questions, type Temperature, type Variant } from './catalog.ts';
import type { Answered, WorkspaceJob } from './job.ts';
import { askRipgrep, ripgrepVersion } from './ripgrep.ts';
import { makeTree } from './tree.ts';

/** How thorough it is to be. */
export interface WorkspaceOptions {
  readonly rounds: number;
  readonly quick: boolean;
  /** How long to wait for idle CPUs before each measurement. */
  readonly patienceMs: number;
  /** Told what is done. */
  progress(line: string): void;
}

/** A question, answered. */
export interface WorkspaceSample {
  readonly question: string;
  readonly variant: Variant;
  readonly temperature: Temperature;
  readonly round: number;
  readonly ms: number;
  readonly firstMs?: number;
  readonly found: number;
  /** CPUs that were busy meanwhile, its own among them; NaN: the system does not tell. */
  readonly busyCpus: number;
}

const variants: readonly Variant[] = ['rg', 'reader', 'files'];

/**
 * Measures: each question by all in turn, so that what disturbs one disturbs all. The files are in the cache of the system.
 *
 * @throws where there is no ripgrep, and where two answers differ
 */
export async function runWorkspace(options: WorkspaceOptions): Promise<readonly WorkspaceSample[]> {
  options.progress(ripgrepVersion());
  const root = mkdtempSync(join(tmpdir(), 'bench-workspace-'));
  try {
    makeTree(root, options.quick ? 1_000 : 10_000);
    const samples: WorkspaceSample[] = [];
    for (let round = 0; round < options.rounds; round++) {
      for (const question of questions) {
        samples.push(...(await answerAll({ root, question, round }, options)));
        options.progress(`round ${round + 1}: ${question.title}`);
      }
    }
    return samples;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

interface Asked {
  readonly root: string;
  readonly question: Question;
  readonly round: number;
}

const times = 8;

async function answerAll({ root, question, round }: Asked, { patienceMs }: WorkspaceOptions) {
  const samples: WorkspaceSample[] = [];
  for (const variant of variants) {
    await quiet(patienceMs);
    const [started, busy] = [performance.now(), busyMs()];
    const job = { root, question, variant, times };
    const answers = variant === 'rg' ? askRipgrep(job) : askUtensil(job);
    const busyCpus = ((busyMs() ?? NaN) - (busy ?? NaN)) / (performance.now() - started);
    const common = { question: question.title, variant, round, busyCpus };
    for (const temperature of ['cold', 'warm'] as const) {
      samples.push({
        ...common,
        temperature,
        ...middleOf(temperature === 'cold' ? answers.slice(0, 1) : answers.slice(3)),
      });
    }
  }
  const counts = new Set(samples.map(({ found }) => found));
  if (counts.size > 1) throw new Error(`The answers to "${question.title}" differ: ${[...counts].join(', ')}.`);
  return samples;
}

function middleOf(answers: readonly Answered[]): Answered {
  const firstMs = median(answers.flatMap((each) => each.firstMs ?? []));
  const middle = { ms: median(answers.map(({ ms }) => ms)), found: answers[0]?.found ?? NaN };
  return Number.isNaN(firstMs) ? middle : { ...middle, firstMs };
}

const workerPath = fileURLToPath(new URL('worker.ts', import.meta.url));

function askUtensil(job: WorkspaceJob): readonly Answered[] {
  const parameters = ['--conditions=@utensil/source', workerPath, JSON.stringify(job)];
  const { status, stdout } = spawnSync(process.execPath, parameters, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`The worker of ${job.variant} failed.`);
  return JSON.parse(stdout) as readonly Answered[];
}
