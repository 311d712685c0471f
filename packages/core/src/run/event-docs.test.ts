import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');

/** The types of all events, in the order of the union that declares them. */
function eventTypes(source: string, union = 'RunEventBody'): readonly string[] {
  const [, members = ''] = new RegExp(`export type ${union} =([^;]+);`).exec(source) ?? [];
  const names = members.split('|').map((name) => name.trim());
  return names.slice(1).flatMap((name) => {
    const [, type] = new RegExp(`interface ${name}\\b[^{]*{[^}]*?readonly type: '([a-z-]+)'`).exec(source) ?? [];
    return type === undefined ? eventTypes(source, name) : [type];
  });
}

/** The types that the table of events has a row for. */
function documented(readme: string): readonly string[] {
  const [, section = ''] = readme.split('\n## Events\n');
  return [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, type = '']) => type);
}

const sources = async () =>
  (await Promise.all(['../tool/run-event.ts', '../model/model.ts', '../model/message.ts'].map(read))).join('\n');

it('the README has a row for each event of a run, and for nothing else', async () => {
  const types = eventTypes(await sources());
  expect(types).toContain('run-start');
  expect(documented(await read('../../README.md')).toSorted()).toEqual(types.toSorted());
});

it('an event without a row is found', async () => {
  const planted = `${await sources()}
    /** Planted. */
    export interface Planted { readonly type: 'planted'; }`.replace('  | RunEnded;', '  | RunEnded\n  | Planted;');
  const rows = documented(await read('../../README.md'));
  expect(eventTypes(planted).filter((type) => !rows.includes(type))).toEqual(['planted']);
});
