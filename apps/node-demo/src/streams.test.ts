// Input and output of the real program: answers, everything else, and piped text.
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { describe, expect, it } from 'vitest';
import { demo, type SpawnOptions, startDemo, temporaryFolder } from './test-kit/spawn-demo.ts';

describe.concurrent('the standard output', () => {
  it('holds the answer alone: banner, calls and notes are on the standard error', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'a.md'), 'one\n');
    const { code, output, errors } = await demo(['--folder', folder.path, 'read a.md']);
    expect({ code, output }).toEqual({
      code: 0,
      output: '✓ `read a.md`\n\n```output\none\n```\n',
    });
    expect(errors).toContain('Utensil · offline · ');
    expect(errors).toContain('📁 View /a.md\n');
    expect(errors).not.toContain('✓ read a.md');
  });

  it('leaves out what the model says before its calls', async () => {
    await using server = await loopback((_, index) => ({
      body: anthropicStream(
        index === 0
          ? [
              { type: 'text', text: 'I look first.' },
              { type: 'tool_use', id: 'one', name: 'list_files', input: {} },
            ]
          : [{ type: 'text', text: 'All is well.' }],
      ),
    }));
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path, '--base-url', server.url, 'Look.'];
    const { code, output, errors } = await demo(words, { env: { ANTHROPIC_API_KEY: 'k' } });
    expect({ code, output }).toEqual({ code: 0, output: 'All is well.\n' });
    expect(errors).toContain('I look first.\n');
  });

  it('leaves out the half of an answer that was truncated and was begun again', async () => {
    const wire = (text: string): readonly string[] => anthropicStream([{ type: 'text', text }]).split(/(?<=\n\n)/);
    await using server = await loopback((_, index) => {
      if (index === 0) return { status: 503, headers: { 'retry-after': '0' } };
      return index === 1
        ? { body: wire('Half an answer').slice(0, -3), end: 'destroy' }
        : { body: wire('All is well.') };
    });
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path, '--base-url', server.url, 'Look.'];
    const { code, output, errors } = await demo(words, { env: { ANTHROPIC_API_KEY: 'k' } });
    expect({ code, output }).toEqual({ code: 0, output: 'All is well.\n' });
    expect(errors).toContain(
      '⟳ The model is overloaded. Trying again.\n⟳ The answer was incomplete. Trying again in 1 s.\n',
    );
    expect(errors).not.toContain('Half an answer');
  });

  it('holds answers and results of commands, if lines are piped in', async () => {
    await using folder = await temporaryFolder();
    const { output } = await demo(['--folder', folder.path], { input: '/model\nlist\n/nonsense\n' });
    expect(output).toMatch(/^offline\nOthers: .*\n\n✓ `list`\n\n```output\nHere.*\n\(empty\)\n```\n$/);
  });
});

/** Request that the model received, and its outcome. */
async function asked(options: SpawnOptions, words: readonly string[] = []) {
  await using server = await loopback(() => ({ body: anthropicStream([{ type: 'text', text: 'Sold well.' }]) }));
  await using folder = await temporaryFolder();
  const given = ['--folder', folder.path, '--base-url', server.url, 'Summarize this.', ...words];
  const finished = await demo(given, { ...options, env: { ANTHROPIC_API_KEY: 'k' } });
  return { ...finished, bodies: server.requests.map(({ body }) => body) };
}

describe.concurrent('text that is piped in with a request', () => {
  it('goes to the model with the request', async () => {
    const { code, output, bodies } = await asked({ input: 'month,sold\nMay,“7”\n' });
    expect({ code, output }).toEqual({ code: 0, output: 'Sold well.\n' });
    const { messages } = JSON.parse(bodies[0] ?? '') as { messages: { content: unknown }[] };
    expect(JSON.stringify(messages)).toMatch(/month,sold\\nMay,“7”\\n.*Summarize this\./);
  });

  it('may come from a file', async () => {
    const folder = await mkdtemp('/tmp/utensil-demo-file-');
    await writeFile(join(folder, 'report.csv'), 'month,sold\n');
    const file = await open(join(folder, 'report.csv'));
    const { code, bodies } = await asked({ stdin: file.fd });
    await file.close();
    await rm(folder, { recursive: true });
    expect([code, bodies[0]]).toEqual([0, expect.stringContaining('month,sold')]);
  });

  it('is waited for if the request ends with -', async () => {
    const { code, bodies } = await asked({ input: 'month,sold\n' }, ['-']);
    expect([code, bodies[0]]).toEqual([0, expect.stringContaining('month,sold')]);
    expect(bodies[0]).not.toContain('this. -');
  });

  it.each<[string, SpawnOptions]>([
    ['empty', { input: '' }],
    ['blank', { input: ' \n' }],
    ['/dev/null', { stdin: 'ignored' }],
  ])('is nothing if the input is %s', async (_, options) => {
    const { code, output, errors, bodies } = await asked(options);
    expect({ code, output }).toEqual({ code: 0, output: 'Sold well.\n' });
    expect(errors).not.toContain('standard input');
    expect(bodies[0]).not.toContain('stdin.txt');
  });

  it('does not keep the program waiting in a pipe that stays open and silent', async () => {
    const { code, output, errors } = await asked({ stdin: 'open' });
    expect({ code, output }).toEqual({ code: 0, output: 'Sold well.\n' });
    expect(errors.replaceAll('\n', ' ')).toContain(
      'Nothing came on the standard input in 3 seconds: going on without it.',
    );
  });

  it.each<[string, Buffer, string]>([
    ['too long', Buffer.alloc(256 * 1024 + 1, 'x'), 'The standard input has more than 256 KiB: put it into a file'],
    [
      'bytes',
      Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff]),
      'The standard input is not text in UTF-8: put it into a file',
    ],
    ['another encoding', Buffer.from('caf\u00e9', 'latin1'), 'The standard input is not text in UTF-8'],
  ])('is refused in words if it is %s', async (_, input, message) => {
    const { code, output, errors, bodies } = await asked({ input });
    expect({ code, output, bodies }).toEqual({ code: 2, output: '', bodies: [] });
    expect(errors).toContain(message);
  });
});

/** A model that has no time, whenever it is asked, and asks for no pause in between. */
const failing = ['--model', 'openai:x'];
const write = 'write a.md: x';

describe.concurrent('exit codes', () => {
  it.each<[string, number, readonly string[], string]>([
    ['an argument that is answered', 0, ['list'], ''],
    ['an argument that fails', 1, [...failing, 'list'], ''],
    ['wrong use', 2, ['--bogus'], ''],
    ['an argument with a change', 3, [write], ''],
    ['lines that are answered', 0, [], 'list\nlist\n'],
    ['lines of which one fails', 1, [], 'list\n/nonsense\nlist\n'],
    ['lines for a model that fails', 1, failing, 'list\n'],
    ['lines and wrong use', 2, ['--bogus'], 'list\n'],
    ['lines with a change that is declined', 3, [], `${write}\nn\nlist\n`],
    ['lines with a change that nobody answers', 3, [], `${write}\n`],
    ['lines with a change that is allowed', 0, [], `${write}\ny\n`],
    ['lines that fail and decline', 1, [], `${write}\nn\n/nonsense\n`],
  ])('of %s: %i', async (_, code, words, input) => {
    await using folder = await temporaryFolder();
    await using server = await loopback(() => ({ status: 503, headers: { 'retry-after': '0' } }));
    const env = { OPENAI_API_KEY: 'k' };
    const isAsked = words[0] === '--model';
    const model = isAsked ? ['--base-url', server.url] : ['--model', 'offline'];
    expect((await demo(['--folder', folder.path, ...model, ...words], { input, env })).code).toBe(code);
    expect(server.requests.length > 1).toBe(isAsked);
  });

  it('of a request or line that is interrupted: 130', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'slow-read.md'), 'slow\n');
    await using argument = startDemo(['--folder', folder.path, '--yes', 'read slow-read.md'], { slow: true });
    await argument.until('stopped: reading');
    argument.signal('SIGINT');
    await using lines = startDemo(['--folder', folder.path], { slow: true });
    lines.write('read slow-read.md');
    await lines.until('stopped: reading');
    lines.signal('SIGINT');
    expect([await argument.end, await lines.end]).toEqual([130, 130]);
    expect(await readFile(join(folder.path, 'slow-read.md'), 'utf8')).toBe('slow\n');
  });
});
