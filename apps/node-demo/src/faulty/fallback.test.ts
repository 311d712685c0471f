// A server that never gives a whole answer: the model of another vendor is asked, and nothing of the halves is left.
import { run } from '@utensil/core';
import { expect, it } from 'vitest';
import { replyAt, serveEach, vendors } from '../test-kit/continuity/vendors.ts';
import { toolNamed, toolsetOf } from '../test-kit/faulty/tools.ts';
import { calls, cases, eventsOf, expectReplays, faultyWire, inTurn, newThread, says } from '../test-kit/faulty/wire.ts';

it.each(cases)('$name', async ({ vendor, fault }) => {
  const other = vendors[(vendors.indexOf(vendor) + 1) % vendors.length] ?? vendor;
  let asked = 0;
  await using broken = await serveEach(vendor, () => {
    asked++;
    return fault.play(vendor, replyAt(vendor, { blocks: [says('Half ', 'of ½ it.')] }, 0));
  });
  const look = toolNamed('look');
  await using whole = await faultyWire(
    { vendor: other, fault },
    inTurn({ blocks: [calls('look', { note: 'all ½ of it' })] }, { blocks: [says('So ', 'it ½ is.')] }),
  );
  const { environment, model: second } = whole;
  const first = vendor.make(broken.url);
  const thread = newThread();
  const options = { environment, toolset: toolsetOf(look), thread, limits: { retries: 1 } };
  const played = run({ ...options, model: first, fallback: [second], messages: 'Go.' });
  const { status, text, messages } = await played.result;
  expect([status, text, asked, whole.sent().length]).toEqual(['complete', 'So it ½ is.', 2, 4]);
  expect(JSON.stringify([messages, whole.sent()])).not.toContain('Half');
  const retries = (await eventsOf(played)).flatMap((event) => (event.type === 'step-retry' ? event.model.id : []));
  expect(retries).toEqual([first.info.id, second.info.id, second.info.id, second.info.id]);
  await expectReplays(thread, { toolset: [look] });
});
