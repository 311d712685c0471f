import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmark, type Session } from '../runner/benchmark.ts';
import { busyMs } from '../runner/load.ts';
import { median } from '../runner/statistics.ts';
import { questions, type Variant, variantTitles } from './catalog.ts';
import type { Answered, WorkspaceJob, WorkspaceSample } from './job.ts';
import { type WorkspacePlan, workspacePlan } from './plan.ts';
import { reportWorkspace } from './report.ts';
import { askRipgrep, ripgrepVersion } from './ripgrep.ts';
import { makeTree } from './tree.ts';

const variants = Object.keys(variantTitles) as readonly Variant[];
const times = 8;

export const workspaceBenchmark = benchmark({
  name: 'workspace',
  measures: 'to search and find files of a project; needs ripgrep',
  subjects: Object.values(variantTitles),
  options: ['quick', 'rounds', 'wait'],
  plan: workspacePlan,
  open: openWorkspace,
  report: reportWorkspace,
});

/** Warms the file cache of the system. Throws if there is no ripgrep. */
function openWorkspace(plan: WorkspacePlan): Session<WorkspaceJob, WorkspaceSample> {
  const version = ripgrepVersion();
  const root = mkdtempSync(join(tmpdir(), 'bench-workspace-'));
  makeTree(root, plan.quick ? 1_000 : 10_000);
  const counts = new Map<string, number>();
  return {
    jobs: () =>
      questions.flatMap((question) => variants.map((variant): WorkspaceJob => ({ root, question, variant, times }))),
    measure(job, round) {
      const samples = answer(job, round);
      const { title } = job.question;
      for (const { found } of samples) {
        const expected = counts.get(title) ?? found;
        if (found !== expected) throw new Error(`The answers to "${title}" differ: ${expected}, ${found}.`);
        counts.set(title, expected);
      }
      return samples;
    },
    tell: ({ question, variant }) => `${question.title}: ${variant === 'rg' ? version : variant}`,
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

function answer(job: WorkspaceJob, round: number): readonly WorkspaceSample[] {
  const [started, busy] = [performance.now(), busyMs()];
  const answers = job.variant === 'rg' ? askRipgrep(job) : askUtensil(job);
  const busyCpus = ((busyMs() ?? NaN) - (busy ?? NaN)) / (performance.now() - started);
  const common = { question: job.question.title, variant: job.variant, round, busyCpus };
  return [
    { ...common, temperature: 'cold', ...middleOf(answers.slice(0, 1)) },
    { ...common, temperature: 'warm', ...middleOf(answers.slice(3)) },
  ];
}

function middleOf(answers: readonly Answered[]): Answered {
  const firstMs = median(answers.flatMap((each) => each.firstMs ?? []));
  const middle = { ms: median(answers.map(({ ms }) => ms)), found: answers[0]?.found ?? NaN };
  return Number.isNaN(firstMs) ? middle : { ...middle, firstMs };
}

function askUtensil(job: WorkspaceJob): readonly Answered[] {
  const parameters = ['--conditions=@utensil/source', join(import.meta.dirname, 'worker.ts'), JSON.stringify(job)];
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${job.variant} could not be measured:\n${stderr.trim()}`);
  return JSON.parse(stdout) as readonly Answered[];
}
