import { variants } from './variants/index.ts';
import { sessionPath } from './server.ts';
import type { Work } from './work.ts';

interface Recorder {
  readonly url: string;
  /** Request bodies of a session. */
  bodiesOf(session: string): Promise<readonly string[]>;
}

/** Loops that must send the same bodies as ours. */
const equals = ['utensil', 'hand', 'fetch'];

/**
 * Runs each loop once, and compares the bodies sent byte for byte.
 *
 * @throws if a body differs, or the number of requests does.
 */
export async function assertEqualBodies(work: Work, { url, bodiesOf }: Recorder): Promise<void> {
  const sent: (readonly string[])[] = [];
  for (const name of equals) {
    const variant = await variants.http[name]?.load();
    const session = sessionPath(work, `bodies-${name}-${crypto.randomUUID()}`, true);
    await variant?.({ tools: work.tools, onCall() {}, onRequest() {} }).run(work, `${url}/${session}/v1`);
    sent.push(await bodiesOf(session));
  }
  for (const [index, name] of equals.entries()) assertEqual(name, [sent[index] ?? [], sent[0] ?? []], work);
}

function assertEqual(name: string, [bodies, ours]: readonly [readonly string[], readonly string[]], work: Work): void {
  if (bodies.length !== work.calls + 1) throw new Error(`${name}: ${bodies.length} requests, not ${work.calls + 1}.`);
  for (const [index, body] of bodies.entries()) {
    const our = ours[index] ?? '';
    if (body !== our)
      throw new Error(`${name}: body ${index} differs from ours:\n${around(body, our)}\n${around(our, body)}`);
  }
}

/** Excerpt of two texts where they begin to differ. */
function around(text: string, other: string): string {
  let place = 0;
  while (text[place] === other[place]) place++;
  return `…${text.slice(Math.max(0, place - 60), place + 60)}…`;
}
