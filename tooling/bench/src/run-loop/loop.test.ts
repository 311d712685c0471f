import { expect, it } from 'vitest';
import { variants } from './variants/index.ts';
import { assertEqualBodies } from './bodies.ts';
import { sessionPath, startServer } from './server.ts';
import { callAt, finalText, indices, type Input } from './work.ts';

const works = [
  { calls: 3, tools: 1 },
  { calls: 5, tools: 3 },
];

it.each(
  Object.entries(variants).flatMap(([mode, entries]) =>
    Object.entries(entries).map(([name, entry]) => [mode, name, entry] as const),
  ),
)('%s %s does the work, and no other', async (mode, name, { load }) => {
  await using server = await startServer();
  for (const work of works) {
    const inputs: Input[] = [];
    let scripted = 0;
    const variant = await load();
    const loop = variant({ tools: work.tools, onCall: (input) => inputs.push(input), onRequest: () => scripted++ });
    const session = sessionPath(work, name);
    expect(await loop.run(work, `${server.url}/${session}/v1`)).toBe(finalText(work));
    expect(inputs).toEqual(indices(work.calls).map((step) => JSON.parse(callAt(step, work).text) as unknown));
    expect(mode === 'http' ? server.sessions.get(session)?.requests : scripted).toBe(work.calls + 1);
  }
});

it.each(works)('the loops written by hand send what we send: %o', async (work) => {
  await using server = await startServer();
  const bodiesOf = async (session: string) => server.sessions.get(session)?.bodies ?? [];
  await expect(assertEqualBodies(work, { url: server.url, bodiesOf })).resolves.toBeUndefined();
});

it('a body that differs is told', async () => {
  await using server = await startServer();
  let asked = 0;
  const bodiesOf = async (session: string) =>
    (server.sessions.get(session)?.bodies ?? []).map((body) =>
      asked++ === 5 ? body.replace('forecast_0', 'forecast_9') : body,
    );
  await expect(assertEqualBodies({ calls: 3, tools: 1 }, { url: server.url, bodiesOf })).rejects.toThrow(
    /hand: body 1 differs from ours:\n.*forecast_9.*\n.*forecast_0/,
  );
});
