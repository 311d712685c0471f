import { spawnSync } from 'node:child_process';
import { median } from '../runner/statistics.ts';

/** Times in milliseconds. */
export interface ColdImport {
  readonly name: string;
  /** The whole process, minus a process without imports. */
  readonly processMs: number;
  /** From the `import()` to its completion, as measured by the process itself. */
  readonly importMs: number;
  /** CPU time of that span. */
  readonly cpuMs: number;
}

interface Options {
  readonly rounds: number;
  /** Package whose dependencies are used. */
  readonly folder: string;
}

/** Imports each entry in fresh processes, alternating with processes without imports. */
export function coldImports(names: readonly string[], { rounds, folder }: Options): readonly ColdImport[] {
  const samples = Array.from({ length: rounds }, () => [undefined, ...names].map((name) => importOnce(name, folder)));
  const empty = median(samples.map(([first]) => first?.processMs ?? NaN));
  return names.map((name, index) => ({
    name,
    processMs: median(samples.map((round) => round[index + 1]?.processMs ?? NaN)) - empty,
    importMs: median(samples.map((round) => round[index + 1]?.importMs ?? NaN)),
    cpuMs: median(samples.map((round) => round[index + 1]?.cpuMs ?? NaN)),
  }));
}

function importOnce(name: string | undefined, folder: string): Omit<ColdImport, 'name'> {
  const what = name === undefined ? '' : `await import('${name}');`;
  const program = `const start = performance.now(); const before = process.cpuUsage(); ${what}
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ importMs: performance.now() - start, cpuMs: (user + system) / 1000 }));`;
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  const processMs = performance.now() - started;
  if (status !== 0) throw new Error(`${name} cannot be imported: ${stderr}`);
  return { processMs, ...(JSON.parse(stdout) as Pick<ColdImport, 'importMs' | 'cpuMs'>) };
}
