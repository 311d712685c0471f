// The real program, interrupted in the middle of a call, and started again.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDemo, temporaryFolder } from './test-kit/spawn-demo.ts';

const note = '" was interrupted. Type /resume to go on.';
const question = 'It had begun when the program ended: it may have been done, or not.';

describe('Ctrl-C', () => {
  it('ends the answer in the middle of a call, and with it a program that is not a conversation with a person; /resume goes on', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'slow-read.md'), 'slow\n');
    const words = ['--folder', folder.path];
    await using first = startDemo(words, { slow: true });
    first.write('read slow-read.md then list');
    await first.until('stopped: reading');
    first.signal('SIGINT');
    await first.until('Interrupted. To go on, type /resume in the chat.');
    expect(await first.end).toBe(130);

    await using second = startDemo(words);
    await second.until(`"read slow-read.md then list${note}`);
    second.write('/resume');
    const output = await second.until('✓ `list`');
    expect(output).not.toContain('may have been done');
    second.write('/resume');
    await second.until('No answer was interrupted.');
  });
});

describe('kill -9', () => {
  it.each([
    ['y', '✓ `write slow-write.md', 'one\n'],
    ['n', 'You declined this.', 'one\n'],
    ['a', '✓ File', 'one\n'],
  ])('in the middle of a write: a person decides about it: %s', async (answer, shown, content) => {
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path];
    await using first = startDemo(words, { slow: true });
    first.write('write slow-write.md: one');
    first.write('y');
    await first.until('stopped: writing');
    first.signal('SIGKILL');
    expect(await first.end).toBe('SIGKILL');

    await using second = startDemo(words);
    await second.until(`"write slow-write.md: one${note}`);
    second.write('/resume');
    await second.until(question);
    second.write('what?'); // no answer: it is asked again
    second.write(answer);
    await second.until(shown);
    expect(await readFile(join(folder.path, 'slow-write.md'), 'utf8')).toBe(content);
    second.write('/resume');
    const output = await second.until('No answer was interrupted.');
    expect(output.match(/take it as done/g)).toHaveLength(2);
  });

  it('leaves a question open that nobody answers', async () => {
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path];
    await using first = startDemo(words);
    first.write('write a.md: one');
    await first.until('  + one');
    first.signal('SIGKILL');
    await first.end;

    await using second = startDemo(words);
    second.write('/new');
    second.write('/waiting');
    expect(await second.until('type /waiting and its number.')).toMatch(/1 {2}.*write a\.md: one/);
    second.write('/thread 1');
    second.write('/resume');
    await second.until('  + one');
    second.write('y');
    await second.until('✓ File created');
    expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
    second.write('/waiting');
    await second.until('Nothing waits for an answer.');
  });
});
