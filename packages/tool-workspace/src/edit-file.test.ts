import { createRegistry, emptySettings, permissions, resolveToolset, run } from '@utensil/core';
import type { Files } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { expect, it } from 'vitest';
import { editFileTool, projectsOf } from './index.ts';
import { workspaceOf } from './test-kit/workspace.ts';

/** Content of a file, an edit, and the content afterwards. */
const writings: Readonly<
  Record<string, { readonly file: string; readonly edit: readonly [string, string]; readonly after: string }>
> = {
  'as it is': { file: 'x = 1', edit: ['x = 1', 'x = 2'], after: 'x = 2' },
  'with quotes': { file: 'say “hi” now', edit: ['say "hi" now', 'say "ho" now'], after: 'say “ho” now' },
  'with an apostrophe': { file: 'it’s so', edit: ["it's so", "it's not"], after: 'it’s not' },
  'with a dash': { file: 'a – b', edit: ['a - b', 'a - c'], after: 'a – c' },
  'with a space of its own': { file: 'a\u00a0b c', edit: ['a b c', 'a b d'], after: 'a\u00a0b d' },
  'with a ligature': { file: 'ﬁne day', edit: ['fine day', 'fine night'], after: 'ﬁne night' },
  'in full width': { file: 'Ａ1 x', edit: ['A1 x', 'A1 y'], after: 'Ａ1 y' },
  'with blanks at the ends of lines': { file: 'one \t\ntwo', edit: ['one\ntwo', 'one\n2'], after: 'one \t\n2' },
  'over several lines': { file: 'one\ntwo\nthree', edit: ['one\ntwo\nthree', 'one\nthree'], after: 'one\nthree' },
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

/** Ways to encode a text. */
const stores: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': encode,
  'UTF-8 with CRLF': (text) => encode(crlf(text)),
  'UTF-8 with a mark': (text) => encode(`\ufeff${text}`),
  'UTF-8 with both': (text) => encode(`\ufeff${crlf(text)}`),
  'UTF-16 with CRLF': (text) =>
    Uint8Array.from([...`\ufeff${crlf(text)}`].flatMap((each) => [each.charCodeAt(0) & 255, each.charCodeAt(0) >> 8])),
};

/** Positions of the text in a file, and the model's version of it. */
const places: Readonly<Record<string, (text: string) => { readonly file: string; readonly asked: string }>> = {
  'in the middle': (text) => ({ file: `above\n${text}\nbelow\n`, asked: text }),
  'at an end without a line break': (text) => ({ file: `above\n${text}`, asked: `${text}\n` }),
};

const cases = Object.entries(stores).flatMap(([store, stored]) =>
  Object.entries(places).flatMap(([place, placed]) =>
    Object.entries(writings).map(([writing, each]) => ({
      title: `${writing}, ${place}, in ${store}`,
      stored,
      placed,
      ...each,
    })),
  ),
);

it('[A4-05] edits the final bytes in 90 cases, leaves all as it was where a preview is refused, and tells what was really saved', async () => {
  expect(cases).toHaveLength(90);
  for (const {
    title,
    stored,
    placed,
    file,
    edit: [from, to],
    after,
  } of cases) {
    const before = stored(placed(file).file);
    const workspace = await workspaceOf({ 'a.txt': before });
    const input = { path: 'a.txt', old_text: placed(from).asked, new_text: placed(to).asked };
    const bytes = async (): Promise<Uint8Array> => (await workspace.files.read('/a.txt')).bytes;

    const twice = stored(`${placed(file).file}\n--\n${placed(file).file}\n`);
    await workspace.files.write('/a.txt', twice);
    const { text, isError } = await workspace.ask(editFileTool, input);
    expect([title, isError, text]).toEqual([title, true, expect.stringContaining('the text occurs 2 times')]);
    expect([title, await bytes()]).toEqual([title, twice]);

    await workspace.files.write('/a.txt', before);
    expect([title, (await workspace.ask(editFileTool, input)).isError]).toEqual([title, false]);
    expect([title, await bytes()]).toEqual([title, stored(placed(after).file)]);
  }

  const { files } = await workspaceOf({ 'a.txt': 'let a = 1\n' });
  const formatting: Files = {
    ...files,
    write: (path, data, options) =>
      files.write(path, new TextDecoder().decode(data as Uint8Array).replace(/(?<!;)\n$/, ';\n'), options),
  };
  const usage = await files.usage();
  const call = { name: 'edit_file', input: { path: 'a.txt', old_text: 'a = 1', new_text: 'a = 2' } };
  const model = scriptedModel([{ calls: [call] }, { calls: [call] }, {}]);
  const toolset = resolveToolset(createRegistry([editFileTool]), emptySettings, {
    projects: projectsOf({ app: { files: formatting } }),
  });
  const turn = run({ model, toolset, messages: 'Edit.', policy: permissions('write') });
  const previews: unknown[] = [];
  for await (const event of turn.events()) {
    if (event.type !== 'approval-request') continue;
    previews.push(event.preview);
    expect(await files.usage()).toEqual(usage);
    expect((await files.readText('/a.txt')).text).toBe('let a = 1\n');
    turn.answer(event.questionId, previews.length === 1 ? 'deny' : 'once');
  }
  const changes = [{ path: '/a.txt', before: 'let a = 1\n', after: 'let a = 2\n' }];
  expect(previews).toEqual([
    { type: 'changes', changes },
    { type: 'changes', changes },
  ]);
  expect((await files.readText('/a.txt')).text).toBe('let a = 2;\n');
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  expect(last).toMatch(
    /It was saved differently, perhaps by a program that formats it\. It is now [^:]*:\\nlet a = 2;/,
  );
});

it('shows the beginning of a long line that it wrote, and counts the rest', async () => {
  const { ask } = await workspaceOf({ 'a.txt': 'x,'.repeat(400_000) });
  const { text } = await ask(editFileTool, { path: 'a.txt', old_text: 'x', new_text: 'y', replace_all: true });
  expect(text.length).toBeLessThan(6_000);
  const shown = `1 | ${'y,'.repeat(500)}… (799,000 more characters)`;
  expect(text.split('\n').slice(1, 3)).toEqual(['Lines 1-1 are now:', shown]);
});

it('previews of a long file what changes, with a little around it', async () => {
  const { files, host } = await workspaceOf({
    'a.txt': `${'a line\n'.repeat(50_000)}old\n${'a line\n'.repeat(50_000)}`,
  });
  const call = { name: 'edit_file', input: { path: 'a.txt', old_text: 'old', new_text: 'new' } };
  const toolset = resolveToolset(createRegistry([editFileTool]), emptySettings, host);
  const turn = run({
    model: scriptedModel([{ calls: [call] }, {}]),
    toolset,
    messages: 'Edit.',
    policy: permissions('write'),
  });
  const previews: unknown[] = [];
  for await (const event of turn.events()) {
    if (event.type !== 'approval-request') continue;
    previews.push(event.preview);
    turn.answer(event.questionId, 'deny');
  }
  expect(previews).toEqual([
    { type: 'changes', changes: [{ path: '/a.txt', before: expect.any(String), after: expect.any(String) }] },
  ]);
  expect(JSON.stringify(previews).length).toBeLessThan(10_000);
  expect(JSON.stringify(previews)).toContain('a line\\nold\\na line');
  expect((await files.readText('/a.txt')).text).toContain('\nold\n');
});
