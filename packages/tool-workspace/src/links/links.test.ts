import {
  createFiles,
  createRegistry,
  emptySettings,
  permissions,
  resolveToolset,
  run,
  runTool,
  textOf,
} from '@utensil/core';
import type { Files, JsonObject, Preview } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { versionedStorage } from '@utensil/storage-versioned';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moveTool, projectsOf, readNoteTool } from '../index.ts';
import { noteNames } from '../notes/note.ts';
import { workspaceOf } from '../test-kit/workspace.ts';
import type { Workspace } from '../test-kit/workspace.ts';
import { linksOf } from './parse-links.ts';
import { readWikiLink } from './wiki-link.ts';

const options = { updateLinks: true };

async function move({ host }: Pick<Workspace, 'host'>, input: JsonObject): Promise<string> {
  return textOf((await runTool(moveTool, input, { host, options })).modelParts);
}

/** Contents of all text files after a move with updated links. */
async function moved(contents: Readonly<Record<string, string>>, from: string, to: string) {
  const workspace = await workspaceOf(contents);
  const report = await move(workspace, { from, to });
  const { entries } = await workspace.files.list('/', { depth: 32 });
  const texts: Record<string, string> = {};
  for (const { path, kind } of entries)
    if (kind === 'file') texts[path.slice(1)] = (await workspace.files.readText(path)).text;
  return { report, texts };
}

describe('links to a moved file', () => {
  it('are updated in every form, in the style in which they are written', async () => {
    const { report, texts } = await moved(
      {
        'Plans.md': '# Plans\n',
        'a.md': [
          '[one](Plans.md) [two](./Plans.md#today "The plans") [three](<Plans.md> (x)) ![i](/Plans.md?raw#x)',
          '[four][p] [[Plans]] [[Plans|alias]] [[Plans#Today]] ![[Plans.md#^block|a]] [[plans]]',
          '> quoted [five](Pl%61ns.md) and [six](P&#108;ans.md) and [se\\]ven](Plan\\s.md)',
          '| [[Plans\\|cell]] | [eight](Plans.md) |',
          '',
          "[p]: Plans.md 'title'",
        ].join('\n'),
        'deep/er/b.md': '---\nrelated: "[[Plans]]"\n---\n[up](../../Plans.md)\r\n',
      },
      'Plans.md',
      'my work/The plan (1).md',
    );
    expect(texts).toEqual({
      'my work/The plan (1).md': '# Plans\n',
      'a.md': [
        '[one](my%20work/The%20plan%20%281%29.md) [two](./my%20work/The%20plan%20%281%29.md#today "The plans") [three](<my work/The plan (1).md> (x)) ![i](/my%20work/The%20plan%20%281%29.md?raw#x)',
        '[four][p] [[The plan (1)]] [[The plan (1)|alias]] [[The plan (1)#Today]] ![[The plan (1).md#^block|a]] [[The plan (1)]]',
        '> quoted [five](my%20work/The%20plan%20%281%29.md) and [six](my%20work/The%20plan%20%281%29.md) and [se\\]ven](Plan\\s.md)',
        '| [[The plan (1)\\|cell]] | [eight](my%20work/The%20plan%20%281%29.md) |',
        '',
        "[p]: my%20work/The%20plan%20%281%29.md 'title'",
      ].join('\n'),
      'deep/er/b.md': '---\nrelated: "[[The plan (1)]]"\n---\n[up](../../my%20work/The%20plan%20%281%29.md)\r\n',
    });
    expect(report).toBe(
      "Moved 'Plans.md' to 'my work/The plan (1).md'\nUpdated 16 link(s) in 2 file(s): a.md (14), deep/er/b.md (2)",
    );
  });

  it('stay as they are in code, HTML and comments, in files that are no Markdown, and if they lead elsewhere', async () => {
    const contents = {
      'x.md': 'x',
      'y.md': 'y',
      'code.ts': '// [[x]] [x](x.md)\n',
      'a.md': [
        '`[x](x.md)` ``[[x]]`` <a href="x.md">[y](y.md)</a> <!-- [x](x.md) [[x]] -->',
        '',
        '```md',
        '[x](x.md) [[x]]',
        '```',
        '',
        '    [x](x.md) [[x]]',
        '',
        '~~~',
        '[x]: x.md',
        '~~~',
        '',
        '<div>[[x]] ![](x.md)</div>',
        '',
        '\\[x](x.md) [web](https://x.md) [mail](mailto:x.md) <https://x.md> [#](#x.md) [h](//x.md) [[#x]] [n](none.md) [[none]] [q](x.m&unknown;d) [w](dir\\x.md) [%](x%zz.md) [&](&#0;)',
        '',
        '[^1]: x.md',
      ].join('\n'),
    };
    const { report, texts } = await moved(contents, 'x.md', 'z/x2.md');
    const { 'x.md': _, ...others } = contents;
    expect(texts).toEqual({ ...others, 'z/x2.md': 'x' });
    expect(report).toBe("Moved 'x.md' to 'z/x2.md'\nNo links had to be updated.");
  });

  it('are left alone without the option', async () => {
    const workspace = await workspaceOf({ 'x.md': 'x', 'a.md': '[x](x.md)' });
    expect(await workspace.ask(moveTool, { from: 'x.md', to: 'y.md' })).toEqual({
      isError: false,
      text: "Moved 'x.md' to 'y.md'",
    });
    expect((await workspace.files.readText('/a.md')).text).toBe('[x](x.md)');
    const describe = moveTool.description as (options: { updateLinks: boolean }) => string;
    expect(describe({ updateLinks: false })).toBe('Moves or renames a file or directory of a project.');
    expect(describe({ updateLinks: true })).toBe(
      'Moves or renames a file or directory of a project, and updates the links to it in Markdown notes, and those in moved notes.',
    );
  });

  it('of a moved directory and in moved notes lead to the same files, images included', async () => {
    const { texts } = await moved(
      {
        'desk/a.md':
          '[b](b.md) [self](a.md#x) ![](img/p.png) [top](../top.md#h) [gone](../gone.md) [r](/desk/b.md) [d](../files/)',
        'desk/b.md': '[[a]] [[desk/a|A]] ![[p.png]] [[top]]',
        'desk/img/p.png': 'png',
        'files/f.txt': 'f',
        'top.md': '[a](desk/a.md) ![](desk/img/p.png) ![[p.png]] ![[desk/img/p.png]] [dir](desk/) [[desk/b.md]]',
      },
      'desk',
      'old/2026/desk',
    );
    expect(texts).toEqual({
      'old/2026/desk/a.md':
        '[b](b.md) [self](a.md#x) ![](img/p.png) [top](../../../top.md#h) [gone](../gone.md) [r](/old/2026/desk/b.md) [d](../../../files/)',
      'old/2026/desk/b.md': '[[a]] [[desk/a|A]] ![[p.png]] [[top]]',
      'old/2026/desk/img/p.png': 'png',
      'files/f.txt': 'f',
      'top.md':
        '[a](old/2026/desk/a.md) ![](old/2026/desk/img/p.png) ![[p.png]] ![[desk/img/p.png]] [dir](old/2026/desk/) [[desk/b.md]]',
    });
  });

  it('by name get a path if the name alone would lead to another note, in other notes too', async () => {
    const { texts } = await moved(
      { 'b/Plans.md': 'b', 'c/Ideas.md': 'c', 'a.md': '[[Plans]] [[Ideas]] [[c/Ideas]]' },
      'c/Ideas.md',
      'a/Plans.md',
    );
    expect(texts['a.md']).toBe('[[b/Plans]] [[Plans]] [[a/Plans]]');
  });

  it('keep encoding, byte order mark and line breaks of their notes', async () => {
    const utf16 = Uint8Array.from([
      0xff,
      0xfe,
      ...[...'[[x]] ✓\r\n'].flatMap((each) => [each.charCodeAt(0) & 255, each.charCodeAt(0) >> 8]),
    ]);
    const workspace = await workspaceOf({ 'x.md': 'x', 'a.md': utf16, 'b.md': '\ufeff[x](x.md)\r\nb\r\n' });
    await move(workspace, { from: 'x.md', to: 'y.md' });
    const text = async (path: string) =>
      new TextDecoder(path === '/a.md' ? 'utf-16le' : 'utf-8', { ignoreBOM: true }).decode(
        (await workspace.files.read(path)).bytes,
      );
    expect(await text('/a.md')).toBe('\ufeff[[y]] ✓\r\n');
    expect(await text('/b.md')).toBe('\ufeff[x](y.md)\r\nb\r\n');
  });

  it('are percent-encoded beyond ASCII only if they were', async () => {
    const { texts } = await moved({ 'ä.md': 'x', 'a.md': '[x](%C3%A4.md) [x](ä.md)' }, 'ä.md', 'ö: ü.md');
    expect(texts['a.md']).toBe('[x](./%C3%B6:%20%C3%BC.md) [x](./ö:%20ü.md)');
  });
});

describe('a move with updated links', () => {
  it('is one commit, which one undo takes back', async () => {
    const driver = memoryStorage();
    let commits = 0;
    const counted: typeof driver = { ...driver, commit: (...commit) => (commits++, driver.commit(...commit)) };
    const storage = versionedStorage(counted);
    const plain = createFiles(storage);
    await plain.write('/x.md', 'x');
    await plain.write('/a.md', '[[x]]');
    const host = { projects: projectsOf({ app: { files: createFiles(storage.as({ turn: '1' })) } }) };
    commits = 0;
    await move({ host }, { from: 'x.md', to: 'y.md' });
    expect(commits).toBe(1);
    expect((await plain.readText('/a.md')).text).toBe('[[y]]');
    await storage.history.undo('1');
    expect((await plain.readText('/a.md')).text).toBe('[[x]]');
    expect((await plain.readText('/x.md')).text).toBe('x');
  });

  it('shows all changes before it is allowed, and makes none of them if it is not', async () => {
    const workspace = await workspaceOf({ 'x.md': '[a](n/a.md)', 'n/a.md': '[[x]]', 'b.md': '[x](x.md)', 'c.md': 'c' });
    const registry = createRegistry([moveTool]);
    const toolset = resolveToolset(registry, { ...emptySettings, tools: { move: { options } } }, workspace.host);
    const asked = run({
      model: scriptedModel([{ calls: [{ name: 'move', input: { from: 'x.md', to: 'n/y.md' } }] }, {}]),
      toolset,
      messages: 'Go.',
      policy: permissions('write'),
    });
    let preview: Preview | undefined;
    for await (const event of asked.events()) {
      if (event.type !== 'approval-request') continue;
      preview = event.preview as Preview | undefined;
      asked.answer(event.questionId, 'deny');
    }
    expect(preview?.changes.toSorted((left, right) => (left.path < right.path ? -1 : 1))).toEqual([
      { path: '/b.md', before: '[x](x.md)', after: '[x](n/y.md)' },
      { path: '/n/a.md', before: '[[x]]', after: '[[y]]' },
      { path: '/n/y.md', after: '[a](a.md)' },
      { path: '/x.md', before: '[a](n/a.md)' },
    ]);
    expect((await workspace.files.readText('/b.md')).text).toBe('[x](x.md)');
  });

  it('says which links it did not update, and why', async () => {
    const deep = `${'!['.repeat(300_000)}\n`;
    const workspace = await workspaceOf({
      'x.md': 'x',
      'skills/s.md': '[x](../x.md)',
      'a.md': '[[x]] [x](x.md)',
      'big.md': `[x](x.md)${' '.repeat(2_000_001)}`,
      'deep.md': `[[x]]\n${deep}`,
      'bytes.md': Uint8Array.of(0xff, 0, 1),
    });
    expect(await move(workspace, { from: 'x.md', to: 'x#1.md' })).toBe(
      [
        "Moved 'x.md' to 'x#1.md'",
        'Updated 1 link(s) in 1 file(s): a.md (1)',
        'Links were not updated in these files, because models obey them: skills/s.md',
        'Wiki links to these files were not updated, because their names contain [, ], | or #: x#1.md',
        'Links were not looked for in these notes, because they are too large, too complex or unreadable: big.md, bytes.md, deep.md',
      ].join('\n'),
    );
    expect((await workspace.files.readText('/a.md')).text).toBe('[[x]] [x](x%231.md)');
    expect((await workspace.files.readText('/skills/s.md')).text).toBe('[x](../x.md)');
    await move(workspace, { from: 'skills/s.md', to: 'skills/t.md' });
    expect((await workspace.files.readText('/skills/t.md')).text).toBe('[x](../x.md)');
  });

  it('updates the links of instructions if the move itself counts as destructive', async () => {
    const workspace = await workspaceOf({ 'skills/s.md': 's', 'skills/t.md': '[s](s.md)' });
    expect(await move(workspace, { from: 'skills/s.md', to: 'skills/u.md' })).toContain('Updated 1 link(s)');
    expect((await workspace.files.readText('/skills/t.md')).text).toBe('[s](u.md)');
  });

  it('moves without updates beyond its limits, and says so', async () => {
    const many = (count: number, text: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n/${index}.md`, text]));
    const changes = await moved({ 'x.md': 'x', ...many(1_001, '[[x]]') }, 'x.md', 'y.md');
    expect(changes.report).toBe(
      "Moved 'x.md' to 'y.md'\nLinks were not updated: 1001 notes would change, and 1000 is the limit.",
    );
    expect(changes.texts['n/0.md']).toBe('[[x]]');
    const text = await moved({ 'x.md': 'x', ...many(51, '.'.repeat(1_999_000)) }, 'x.md', 'y.md');
    expect(text.report).toContain('Links were not updated: its notes have more than 100 MB of text.');
    const named = await moved({ 'x.md': 'x', ...many(25, '[[x]]') }, 'x.md', 'y.md');
    expect(named.report).toMatch(/n\/\d+\.md \(1\) and 5 more$/);
    const files: Files = createFiles(memoryStorage());
    await files.write('/x.md', 'x');
    const names = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}.md`, kind: 'file' as const }));
    const reader = { list: () => names, readEach: () => undefined };
    const host = { projects: projectsOf({ app: { files, reader } }) };
    expect(await move({ host }, { from: 'x.md', to: 'y.md' })).toContain(
      'Links were not updated: the project has more than 10000 notes.',
    );
  });

  it('fails like a plain move', async () => {
    const workspace = await workspaceOf({ 'a.md': '[[b]]', 'b.md': 'b' });
    expect(await move(workspace, { from: 'none.md', to: 'y.md' })).toContain('ENOENT');
    expect(await move(workspace, { from: 'a.md', to: 'b.md' })).toContain('EEXIST');
    expect(await move(workspace, { from: 'a.md', to: 'a.md' })).toContain('EEXIST');
    expect(await move(workspace, { from: 'a.md', to: 'b.md', overwrite: true })).toBe(
      "Moved 'a.md' to 'b.md'\nNo links had to be updated.",
    );
    expect((await workspace.files.readText('/b.md')).text).toBe('[[b]]');
  });
});

it('reads the links of hostile notes in parts, or not at all', async () => {
  for (const unit of ['[a](', '[a](<', '*a_', 'a**b*', '[[a](b)', '[a*', '![', '` `` ', '<a ', '<!--', '[a](b)']) {
    expect(await linksOf(`[[x]]\n${unit.repeat(50_000)}`, () => undefined)).toBeUndefined();
    expect(await linksOf(`[[x]]\n\n${unit.repeat(400)}`, () => undefined)).toContainEqual({
      kind: 'wiki',
      start: 2,
      end: 3,
    });
  }
});

const names = ['A', 'B b', 'ä', 'c(1)', 'd.e', 'A', 'f&amp;', '50%'] as const;
const directories = ['', 'p/', 'p/q/', 'r s/', 'p/A/'] as const;
const path = fc
  .tuple(fc.constantFrom(...directories), fc.constantFrom(...names), fc.constantFrom('.md', '.md', '.png', '.txt'))
  .map((parts) => parts.join(''));

/** A relative or absolute link, written independently of the code under test. */
const pathLink = fc.record({
  target: fc.nat(),
  form: fc.constantFrom(
    '[t](*)',
    '![](*)',
    '[t](<*>)',
    '[t](* "title")',
    '[t](*#anchor)',
    '\n\n[r]: *\n\n',
    '> [t](*)',
  ),
  isAbsolute: fc.boolean(),
});
const wikiForm = fc.record({
  target: fc.nat(),
  form: fc.constantFrom('[[*]]', '[[*|alias]]', '![[*]]', '[[*#heading]]', '| [[*\\|x]] |'),
  isFull: fc.boolean(),
});
const noise = fc.constantFrom(
  'text ',
  '\n',
  '\r\n',
  '# h\n',
  '- ',
  '`[A](A.md) [[A]]` ',
  '\n```\n[[A]]\n```\n',
  '<!-- [[A]] --> ',
  '[n](none.md) ',
  '[[none]] ',
  '[w](https://a.md) ',
  '*',
  '\\',
  'é😀 ',
);
type Part =
  | string
  | { target: number; form: string; isAbsolute: boolean }
  | { target: number; form: string; isFull: boolean };
const note: fc.Arbitrary<Part[]> = fc.array(fc.oneof(noise, pathLink, wikiForm), { maxLength: 8 });

function written(part: Part, from: string, paths: readonly string[]): string {
  if (typeof part === 'string') return part;
  const target = paths[part.target % paths.length] ?? '';
  if ('isFull' in part) {
    const name = part.isFull ? target : (target.split('/').at(-1) ?? '').replace(/\.(?:md|txt)$/, '');
    return part.form.replace('*', () => name);
  }
  const up = '../'.repeat(from.split('/').length - 1);
  const encoded = target.replace(/[^\w./]/gu, (each) =>
    encodeURIComponent(each).replace(/[()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  );
  return part.form.replace('*', () => (part.isAbsolute ? `/${encoded}` : up + encoded));
}

/** Order of listings, in which the first of several notes of a name is found. */
const inListings = (left: string, right: string) => (left.replaceAll('/', '\0') < right.replaceAll('/', '\0') ? -1 : 1);

/** Targets of the links of a note, paths by the platform's URLs, names by the index of `read_note`; and the other text. */
async function targetsIn(text: string, from: string, paths: readonly string[]) {
  const found = (await linksOf(text, () => undefined)) ?? [];
  const notes = noteNames(paths.filter((each) => /\.(?:md|txt)$/.test(each)));
  const others = noteNames(paths.filter((each) => !/\.(?:md|txt)$/.test(each)));
  const masked: string[] = [];
  let end = 0;
  const targets = found
    .toSorted((left, right) => left.start - right.start)
    .map((link) => {
      masked.push(text.slice(end, link.start));
      end = link.end;
      const inner = text.slice(link.start, link.end);
      if (link.kind === 'wiki') {
        const { name = '' } = readWikiLink(inner) ?? {};
        masked.push(inner.replace(name, '*'));
        return notes.named(name)[0] ?? others.named(name)[0];
      }
      const url = new URL(inner.replace(/^<|>$/g, ''), `file://${encodeURI(from)}`);
      masked.push(inner.startsWith('<') ? '<*>' : '*', url.hash);
      const decoded = url.protocol === 'file:' ? decodeURIComponent(url.pathname) : '';
      return paths.includes(decoded) ? decoded : undefined;
    });
  return { targets, outside: masked.join('') + text.slice(end) };
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/** Links and other text of all files before the move, with the targets that they have to have after it, and after it. */
async function aroundMove(contents: Readonly<Record<string, string>>, { from, to }: Move) {
  const all = Object.keys(contents);
  const after = (each: string) => (each === from || each.startsWith(`${from}/`) ? to + each.slice(from.length) : each);
  const listed = (paths: readonly string[]) => paths.map((each) => `/${each}`).toSorted(inListings);
  const { report, texts } = await moved(contents, from, to);
  const [wanted, found] = [[report], [report]] as unknown[][];
  for (const each of all.filter((path) => !path.endsWith('.md'))) {
    wanted?.push(contents[each]);
    found?.push(texts[after(each)]);
  }
  for (const each of all.filter((path) => path.endsWith('.md'))) {
    const old = await targetsIn(contents[each] ?? '', `/${each}`, listed(all));
    const now = await targetsIn(texts[after(each)] ?? '', `/${after(each)}`, listed(all.map(after)));
    wanted?.push({ ...old, targets: old.targets.map((target) => target && `/${after(target.slice(1))}`) });
    found?.push({ ...now, targets: now.targets.map((target, at) => old.targets[at] && target) });
  }
  return { wanted, found, report };
}

it('leads every link to the same file after any move, and changes no byte outside of links', async () => {
  const vault = fc.uniqueArray(path, { minLength: 2, maxLength: 8, selector: (each) => each.toLowerCase() });
  const notes = fc.array(note, { minLength: 8, maxLength: 8 });
  let updated = 0;
  await fc.assert(
    fc.asyncProperty(vault, notes, fc.nat(), path, fc.boolean(), async (all, texts, index, goal, isDirectory) => {
      const file = all[index % all.length] ?? '';
      const slash = file.indexOf('/');
      const from = isDirectory && slash > 0 ? file.slice(0, slash) : file;
      const to = from === file ? goal : `z/${goal}`;
      const isFree = all.every((each) => each.toLowerCase() !== to.toLowerCase());
      fc.pre(isFree && !all.some((each) => to.startsWith(`${each}/`) || each.startsWith(`${to}/`)));
      const bodies = all.map((each, at) => (texts[at] ?? []).map((part) => written(part, each, all)).join(''));
      const contents = all.map((each, at) => [each, each.endsWith('.md') ? (bodies[at] ?? '') : each] as const);
      const { wanted, found, report } = await aroundMove(Object.fromEntries(contents), { from, to });
      expect(found).toEqual(wanted);
      if (report.includes('Updated')) updated++;
    }),
  );
  expect(updated).toBeGreaterThan(10);
});

it('finds by read_note what it has written', async () => {
  const workspace = await workspaceOf({ 'x.md': 'x', 'a.md': '[[x]]' });
  await move(workspace, { from: 'x.md', to: 'n/y.md' });
  expect((await workspace.ask(readNoteTool, { path: 'a.md' })).text).toContain('"linkedNotes":["n/y.md"]');
});
