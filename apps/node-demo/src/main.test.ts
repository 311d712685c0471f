import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

describe.concurrent('one request', () => {
  it('leaves the file on disk and prints the listing', async () => {
    await using folder = await temporaryFolder();
    const program = 'write notes/todo.md: buy milk then list notes then read notes/todo.md';
    const given = ['--folder', folder.path, '--yes', program];
    const { code, all: output } = await demo(given, { fromSources: true });
    expect(code).toBe(0);
    expect(await readFile(join(folder.path, 'notes/todo.md'), 'utf8')).toBe('buy milk\n');
    expect(output).toContain(`Utensil · offline · ${folder.path}\n`);
    expect(output).toMatch(/📁 Create \/notes\/todo\.md\n {2}command create, path .*\n {2}✓ .* \(\d+ ms\)\n/);
    expect(output).toContain('\n9\t/notes/todo.md\n');
    expect(output).toContain('\n```output\nbuy milk\n```\n');
    expect(output).not.toContain('\u001b');
  });

  it('denies a write without --yes, and says so by its exit code', async () => {
    await using folder = await temporaryFolder();
    const { code, all: output } = await demo(['--folder', folder.path, 'write a.md: x']);
    expect(code).toBe(3);
    expect(output).toContain('📁 Create /a.md');
    expect(output.replaceAll('\n', ' ')).toContain(
      'Error: Declined, because nobody is here to ask. Allow changes with --yes',
    );
    expect(existsSync(join(folder.path, 'a.md'))).toBe(false);
  });

  it('finishes its work, even if nobody reads the output', async () => {
    await using folder = await temporaryFolder();
    const program = `write a.md: x then ${'list then '.repeat(30)}write b.md: y`;
    const { code } = await demo(['--folder', folder.path, '--yes', program], { unread: true });
    expect(code).toBe(0);
    expect(await readFile(join(folder.path, 'b.md'), 'utf8')).toBe('y\n');
  });

  it('works on a copy of the sample if no folder is named', async () => {
    const { code, all: output } = await demo(['list']);
    expect(code).toBe(0);
    expect(output).toMatch(/Utensil · offline · .*\.utensil-demo\n/);
  });

  it.each([
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['openai', 'OPENAI_API_KEY'],
    ['openai-chat', 'OPENAI_API_KEY'],
  ])('says which key %s is missing', async (model, key) => {
    await using folder = await temporaryFolder();
    const { code, all: output } = await demo(['--folder', folder.path, '--model', model, 'Hello']);
    expect(code).toBe(1);
    expect(output).toContain('Error: ');
    expect(output.replaceAll('\n', ' ')).toContain(key);
  });

  it('continues with a thread that another process began', async () => {
    await using folder = await temporaryFolder();
    await demo(['--folder', folder.path, '--yes', 'write a.md: first']);
    const { code, all: output } = await demo(['--folder', folder.path, '--thread', '1', 'read a.md']);
    expect(code).toBe(0);
    expect(output).toContain('> write a.md: first\n\n✓ `write a.md: "first\\n"`\n');
    const threads = await demo(['--folder', folder.path], { input: '/threads\n' });
    expect(threads.all).toMatch(/ 1 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}write a\.md: first\n/);
    expect(threads.all).not.toContain('read a.md');
  });
});

describe.concurrent('wrong use', () => {
  it.each([
    [['--bogus'], 2, "Error: Unknown option '--bogus'. See --help.\n"],
    [['--model', 'gpt'], 2, 'Error: There is no model "gpt". Use offline, anthropic:'],
    [['--folder', '/no/such/folder', 'list'], 1, 'Error: There is no folder /no/such/folder: make it'],
    [['--folder', import.meta.filename, 'list'], 1, 'main.test.ts is a file: name the folder '],
    [[' '], 2, 'Error: The request is empty.'],
    [['--thread', 'x', 'list'], 2, 'Error: There is no thread "x"'],
    [['--no-sandbox', 'list'], 2, 'Error: --no-sandbox is for --shell.'],
  ])('%j is told in words', async (words, code, message) => {
    await using folder = await temporaryFolder();
    const given = words.includes('--folder') ? words : ['--folder', folder.path, ...words];
    const { code: actual, errors } = await demo(given);
    expect(errors).toContain(message);
    expect(actual).toBe(code);
  });

  it('has help and a version', async () => {
    expect((await demo(['--help'])).output).toContain('--base-url <url>');
    expect((await demo(['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe.concurrent('a conversation', () => {
  it('asks before a write, and shows the change', async () => {
    await using folder = await temporaryFolder();
    const lines = ['write a.md: one', 'y', 'replace one with two in a.md', 'n', 'delete a.md', 'maybe'];
    const { code, all: output } = await demo(['--folder', folder.path], { input: lines.join('\n') });
    expect(code).toBe(3);
    expect(output).toContain(
      '  + one\n  Allow this action? [y]es · for this [r]equest · [a]lways · [n]o: y\n  ✓ File created',
    );
    expect(output).toContain(
      '  - one\n  + two\n  Allow this action? [y]es · for this [r]equest · [a]lways · [n]o: n\n  ✗ Declined\n',
    );
    expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
  });

  it('asks no more for as long as the answer says', async () => {
    await using folder = await temporaryFolder();
    const twice = (names: string) => `write ${names[0]}.md: x then write ${names[1]}.md: y`;
    const lines = [twice('ab'), 'r', twice('cd'), 'a', 'y', twice('ef')];
    const { all: output } = await demo(['--folder', folder.path], { input: lines.join('\n') });
    expect(output.match(/Allow this action\?/g)).toHaveLength(2);
    expect((await readdir(folder.path)).filter((name) => name.endsWith('.md'))).toHaveLength(6);
    const { code, all: later } = await demo(['--folder', folder.path, 'write g.md: x']);
    expect([code, later]).toEqual([0, expect.not.stringContaining('denied')]);
  });

  it('denies what is asked when the input is over', async () => {
    await using folder = await temporaryFolder();
    const { code, errors } = await demo(['--folder', folder.path], { input: 'write a.md: one\n' });
    expect([code, errors]).toEqual([3, expect.stringContaining('Error: Declined, because nobody is here to ask.')]);
    expect(existsSync(join(folder.path, 'a.md'))).toBe(false);
  });

  it('keeps settings over restarts', async () => {
    await using folder = await temporaryFolder();
    const input = '/disable memory\n/option filesystem noLineNumbers true\n';
    await demo(['--folder', folder.path], { input });
    const { all: output } = await demo(['--folder', folder.path, '--yes'], {
      input:
        '/tools\nremember tea: Assam\nwrite a.md: one\nread a.md\n/enable memory\nremember tea: Assam\nrecall tea\n',
    });
    expect(output).toContain('off  memory');
    expect(output).toMatch(/noLineNumbers true/);
    expect(output).toContain('the tool "memory" is off or missing here');
    expect(output).toContain('✓ `read a.md`\n\n```output\none\n```\n');
    expect(output).toContain('```output\nAssam\n```');
  });

  it('[S3-11] shows with each tool its calls and the last error', async () => {
    await using folder = await temporaryFolder();
    const { all: output } = await demo(['--folder', folder.path, '--yes'], {
      input: 'write a.md: one\nread gone.md\nread a.md\n/tools\n',
    });
    expect(output).toMatch(/3 calls, 1 failed +the longest took \d+ ms/);
    expect(output).toMatch(/last error +The path \/gone\.md does not exist/);
  });

  it('has commands', async () => {
    await using folder = await temporaryFolder();
    const input = [
      '/help',
      '/threads',
      '/list',
      '/undo',
      '/enable nothing',
      '/option filesystem noLineNumbers 3',
      '/option filesystem',
      '/model',
      '/model openai:gpt-9',
      '/model nothing',
      '/model offline',
      'list',
      '/new',
      '/thread 1',
      '/thread 9',
      '/thread',
      '/quit',
      'list',
    ];
    const { code, all: output } = await demo(['--folder', folder.path], { input: input.join('\n') });
    expect(code).toBe(1); // some of them cannot be done
    for (const text of [
      '/option <tool> <option> <value>',
      'No threads yet.',
      'There is no command /list.',
      'Nothing to undo.',
      'There is no tool "nothing".',
      'must be true or false; got "3".',
      'Say which option and which value.',
      'Others: offline, anthropic:',
      'The model is openai:gpt-9.',
      'There is no model "nothing".',
      'This is a new thread.',
      'There is no thread "9"',
      'Which thread?',
    ])
      expect(output.replaceAll(/\s+/g, ' ')).toContain(text);
    expect(output.match(/✓ `list`\n/g)).toHaveLength(2); // once as it was said, once as it was recalled
  });
});

describe.concurrent('what is on disk', () => {
  it('cannot steer the terminal', async () => {
    await using folder = await temporaryFolder();
    const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b31mred\u202edlrow\rover';
    await writeFile(join(folder.path, 'a.md'), hostile);
    const { all: output } = await demo(['--folder', folder.path, `read a.md then delete "\u001b[31m${hostile}"`]);
    expect(output).toContain('␛]0;owned␇␛[2J');
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it('[D0-12] may be damaged: settings are put aside, and are still there when others are stored', async () => {
    await using folder = await temporaryFolder();
    await demo(['--folder', folder.path], { input: '/disable memory\n' });
    const settings = join(folder.path, '.utensil/records/settings');
    await writeFile(join(settings, 'default.json'), '{"version": 1, "tools": {"memory": {"ena');
    const { code, all: output } = await demo(['--folder', folder.path, 'list']);
    expect(code).toBe(0);
    expect(output.replaceAll('\n', ' ')).toContain(`Default settings are used. The old ones are kept in ${settings}`);
    await demo(['--folder', folder.path], { input: '/disable filesystem\n' });
    const kept = (await readdir(settings)).find((name) => name.includes('.corrupt-')) ?? '';
    expect(await readFile(join(settings, kept), 'utf8')).toBe('{"version": 1, "tools": {"memory": {"ena');
    expect(await readFile(join(settings, 'default.json'), 'utf8')).toContain('"filesystem":{"enabled":false}');
  });

  it('may be of a later version: nothing is done to it', async () => {
    await using folder = await temporaryFolder();
    const settings = join(folder.path, '.utensil/records/settings');
    await mkdir(settings, { recursive: true });
    await writeFile(join(settings, 'default.json'), '{"version": 99, "tools": {}}');
    const { code, errors } = await demo(['--folder', folder.path, 'list']);
    expect(code).toBe(1);
    expect(errors).toContain('have version 99');
    expect(await readFile(join(settings, 'default.json'), 'utf8')).toBe('{"version": 99, "tools": {}}');
  });

  it('[D0-12] may be damaged: a message is left out but kept, and its thread goes on', async () => {
    await using folder = await temporaryFolder();
    await demo(['--folder', folder.path, '--yes', 'write a.md: one']);
    const threads = join(folder.path, '.utensil/records/threads');
    const id = (await readdir(threads)).find((name) => !name.endsWith('.json')) ?? '';
    const last = join(threads, id, 'messages/000000000004.json');
    await writeFile(last, '{"id": "x"');
    await writeFile(join(threads, `${id}.json`), 'nothing');
    const { code, all: output } = await demo(['--folder', folder.path, '--thread', id, 'read a.md']);
    expect(code).toBe(0);
    expect(output.match(/record_corrupt: /g)).toHaveLength(3); // the summary, the message, and the run's own report
    expect(output).toContain('```output\none\n```');
    expect(await readFile(last, 'utf8')).toBe('{"id": "x"');
  });
});
