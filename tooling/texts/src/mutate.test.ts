import { expect, it } from 'vitest';
import { mutateTexts } from './mutate.ts';
import type { Subject } from './mutate.ts';

interface Row {
  readonly id: string | null;
  readonly literal: string;
  readonly title: string;
  readonly expected: string;
}

/** A tool that says one thing in each row: the text, with `{name}` filled in. */
function subject(texts: Record<string, string>, rows: readonly Omit<Row, 'id' | 'title'>[]): Subject<Row> {
  const answer = (text: string) => ({ text, isError: false, after: {} });
  return {
    name: 'planted',
    texts,
    rows: rows.map((row) => ({ ...row, id: 'S0-00', title: `shows ${row.literal}` })),
    run: async ({ literal, expected }) => ({
      actual: answer((texts[literal] ?? '').replace('{name}', 'Ada').trim()),
      expected: answer(expected),
    }),
  };
}

it('catches every change of texts that the table shows whole', async () => {
  const texts = { hello: 'Hello {name}!', bye: 'Bye' };
  const rows = [
    { literal: 'hello', expected: 'Hello Ada!' },
    { literal: 'bye', expected: 'Bye' },
  ];
  expect(await mutateTexts(subject(texts, rows))).toEqual({ literals: 2, caught: 2, problems: [] });
  expect(texts).toEqual({ hello: 'Hello {name}!', bye: 'Bye' });
});

it('reports a text that no row shows', async () => {
  const { caught, problems } = await mutateTexts(
    subject({ hello: 'Hello', bye: 'Bye' }, [{ literal: 'hello', expected: 'Hello' }]),
  );
  expect(caught).toBe(1);
  expect(problems).toEqual(['planted: bye has no row in the fixture']);
});

it('reports a text that its row does not show whole', async () => {
  const planted = subject({ hello: 'Hello' }, [{ literal: 'hello', expected: 'Hello' }]);
  const blind = { ...planted, run: async () => ({ actual: answer('Hello'), expected: answer('Hello') }) };
  expect((await mutateTexts(blind)).problems).toEqual(['planted: hello can be "xello", and no row notices']);
});

it('reports a row that fails before anything is changed, and a row of no text', async () => {
  const rows = [
    { literal: 'hello', expected: 'Hallo' },
    { literal: 'gone', expected: '' },
  ];
  expect((await mutateTexts(subject({ hello: 'Hello' }, rows))).problems).toEqual([
    'planted: "shows gone" is a row of gone, and there is no such text',
    'planted: hello has a row that fails as it is: "shows hello"',
  ]);
});

function answer(text: string) {
  return { text, isError: false, after: {} };
}
