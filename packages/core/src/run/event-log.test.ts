import { expect, it } from 'vitest';
import { createEventLog } from './event-log.ts';

it('is read from any event on, before it is written and after, across its pages', async () => {
  let time = 0;
  const log = createEventLog('r', () => ++time);
  const read = async (from: number): Promise<readonly (readonly [number, number])[]> => {
    const found: (readonly [number, number])[] = [];
    for await (const event of log.read(from)) found.push([event.seq, event.time]);
    return found;
  };
  const froms = [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 69, 70, 500];
  const early = froms.map(read);
  log.begin({});
  for (let count = 1; count < 70; count++) log.emit({ type: 'text-delta', text: `${count}` });
  log.close();
  const all = Array.from({ length: 70 }, (_, seq) => [seq, seq + 1]);
  expect(await Promise.all(early)).toEqual(froms.map((from) => all.slice(from)));
  expect(await Promise.all(froms.map(read))).toEqual(froms.map((from) => all.slice(from)));
});
