import { benchmark } from '../runner/benchmark.ts';
import { attacks } from './attacks.ts';
import { attackResult, type InjectionResult, reportInjection, taskResult } from './injection.ts';
import { tasks } from './tasks.ts';
import { closeWorlds } from './world.ts';

export const injectionBenchmark = benchmark({
  name: 'injection',
  measures: 'how much hostile text leads to harm without a question, and how often people are asked in vain',
  subjects: ['Utensil', 'Utensil without taint'],
  options: [],
  plan: () => ({ rounds: 1, patienceMs: 0 }),
  open: () => ({
    jobs: () => [
      ...attacks.map((attack) => async (): Promise<InjectionResult> => attackResult(attack)),
      ...tasks.map((task) => async (): Promise<InjectionResult> => taskResult(task)),
    ],
    measure: async (job: () => Promise<InjectionResult>) => [await job()],
    close: closeWorlds,
  }),
  report: reportInjection,
  failure: (results) => {
    const through = results.filter((each) => each.kind === 'attack' && each.harm.on !== undefined);
    return through.length === 0 ? undefined : `${through.length} attacks went through.`;
  },
});
