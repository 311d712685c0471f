import { dialectsBenchmark } from './dialects/benchmark.ts';
import { injectionBenchmark } from './injection/benchmark.ts';
import { mappersBenchmark } from './mappers/benchmark.ts';
import { runLoopBenchmark } from './run-loop/benchmark.ts';
import type { AnyBenchmark } from './runner/benchmark.ts';
import { runsBenchmark } from './runs/benchmark.ts';
import { sandboxBenchmark } from './sandbox/benchmark.ts';
import { sizeBenchmark } from './size/benchmark.ts';
import { storageBenchmark } from './storage/benchmark.ts';
import { webBenchmark } from './web/benchmark.ts';
import { workspaceBenchmark } from './workspace/benchmark.ts';

/** Every benchmark. To add one, add a folder with a `benchmark.ts`, and a line. */
export const benchmarks: readonly AnyBenchmark[] = [
  runLoopBenchmark,
  runsBenchmark,
  mappersBenchmark,
  storageBenchmark,
  workspaceBenchmark,
  sandboxBenchmark,
  webBenchmark,
  injectionBenchmark,
  dialectsBenchmark,
  sizeBenchmark,
];
