import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';

const tickMs = 10; // USER_HZ is 100

/** CPU milliseconds of the whole system since boot; undefined if the system does not report it. */
export function busyMs(): number | undefined {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields('/proc/stat', /^cpu +(.*)$/m);
  const ticks = user + nice + system + irq + softirq;
  return ticks > 0 ? ticks * tickMs : undefined;
}

/** CPU milliseconds of a process since its start; 0 if the system does not report it. */
export function cpuMsOf(pid: number | undefined): number {
  const [user = 0, system = 0] = fields(`/proc/${pid}/stat`, /\) \S+ (?:\S+ ){10}(\d+ \d+)/);
  return (user + system) * tickMs;
}

function fields(path: string, pattern: RegExp): readonly number[] {
  try {
    return pattern.exec(readFileSync(path, 'utf8'))?.[1]?.split(' ').map(Number) ?? [];
  } catch {
    return [];
  }
}

/** Waits for idle CPUs, up to a time limit. */
export async function quiet(patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const before = busyMs();
    if (before === undefined || performance.now() > until) return;
    await setTimeout(200);
    if (((busyMs() ?? before) - before) / 200 < 0.3) return;
  }
}

/** Description of the machine in one line. */
export function environmentLine(): string {
  const [first] = cpus();
  const load = loadavg().map((each) => each.toFixed(1));
  return `Node.js ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} × ${first?.model ?? 'unknown CPU'}, load average ${load.join(' ')}`;
}
