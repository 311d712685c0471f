import type { Contender } from './catalog.ts';
import type { Figures } from './job.ts';
import { type Amounts, expectValue, host, time, works } from './works.ts';

/** Measures all works of one contender in a fresh process. */
export async function measureWorks({ load }: Contender, amounts: Amounts): Promise<Figures> {
  const figures: Record<string, number> = {};
  const started = performance.now();
  const open = await load();
  const loaded = performance.now();
  const subject = await open(host);
  await expectValue(subject, { code: 'return 1' }, 1);
  figures['import'] = loaded - started;
  figures['cold'] = performance.now() - loaded;
  for (let run = 0; run < amounts.runs; run++) await expectValue(subject, { code: 'return 1' }, 1);
  for (const [name, work] of Object.entries(works)) figures[name] = await work.measure(subject, amounts);
  figures['close'] = await time(async () => subject.close());
  figures['rss'] = process.resourceUsage().maxRSS / 1024;
  return figures;
}
