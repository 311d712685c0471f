import { Session } from 'node:inspector/promises';

interface Allocation {
  readonly selfSize: number;
  readonly children: readonly Allocation[];
}

/**
 * Bytes that some work allocates, by V8's sampling of allocations: what is collected meanwhile counts as well.
 * `samplingInterval`: bytes between two samples. With 512, a few megabytes are known to within one or two percent; a profile
 * of gigabytes would not fit into a string.
 */
export async function allocatedBytes(work: () => Promise<void>, samplingInterval = 512): Promise<number> {
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
