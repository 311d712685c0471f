import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf } from './lines-of.ts';

/** A body in chunks of `size` bytes. */
function bodyOf(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

it('cuts a body into lines wherever its pieces end, and leaves out blank ones', async () => {
  const part = fc.string({ unit: fc.constantFrom('a', 'ü', '𝄞', '{'), maxLength: 4 });
  const holds = async (said: readonly string[], lineBreak: string, size: number): Promise<void> => {
    const lines: string[] = [];
    for await (const line of linesOf(bodyOf(said.join(lineBreak), size))) lines.push(line);
    expect(lines).toEqual(said.filter((line) => line !== ''));
  };
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 9 }), holds),
  );
});

it('has no lines for no body', async () => {
  for await (const line of linesOf(null)) expect.unreachable(line);
});

it('lets go of a body that is left early', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('a\n')),
    cancel: () => void (isCancelled = true),
  });
  for await (const line of linesOf(body)) {
    expect(line).toBe('a');
    break;
  }
  expect(isCancelled).toBe(true);
});
