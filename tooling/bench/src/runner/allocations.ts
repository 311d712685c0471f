import { Session } from 'node:inspector/promises';

/** Bytes between two samples: a run of a few megabytes is then known to within one or two percent. */
const samplingInterval = 512;

interface Allocation {
  readonly selfSize: number;
  readonly children: readonly Allocation[];
}

/** Bytes that some work allocates, by V8's sampling of allocations: what is collected meanwhile counts as well. */
export async function allocatedBytes(work: () => Promise<void>): Promise<number> {
  const session = new Session();
  session.connect();
  const all = { includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
  await session.post('HeapProfiler.startSampling', { samplingInterval, ...all });
  await work();
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  return sumOf(profile.head);
}

function sumOf({ selfSize, children }: Allocation): number {
  return children.reduce((sum, child) => sum + sumOf(child), selfSize);
}
