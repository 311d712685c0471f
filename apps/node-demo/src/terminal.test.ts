// The real program in a terminal of its own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loopback } from '@utensil/tooling-loopback';
import { describe, expect, it } from 'vitest';
import { startDemo, temporaryFolder } from './test-kit/spawn-demo.ts';

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

const why = hasScript ? '' : ' (not tried: there is no `script` of util-linux to make a terminal)';

const terminal = true;

describe.skipIf(why)(`in a terminal${why}`, () => {
  it('says what this is, which model answers, and what to try', async () => {
    await using folder = await temporaryFolder();
    await using running = startDemo(['--folder', folder.path], { terminal });
    const shown = await running.until('> ');
    expect(shown.replaceAll(/\s+/g, ' ')).toMatch(
      /^Utensil is a TypeScript SDK for LLM tools\. .* Model: offline, .* Folder: .* Try: list, .* Type \/help for commands\./,
    );
    running.press('Ctrl-D');
    expect(await running.end).toBe(0);
  });

  it('asks before a change, takes no for an answer, and exits with 0: the person has seen it', async () => {
    await using folder = await temporaryFolder();
    await using running = startDemo(['--folder', folder.path], { terminal });
    await running.until('> ');
    running.write('write a.md: x');
    await running.until('Allow this action? [y]es');
    running.write('n');
    const shown = await running.until('  ✗ Declined');
    expect(shown).not.toContain('nobody');
    running.write('/quit');
    expect(await running.end).toBe(0);
    expect(existsSync(join(folder.path, 'a.md'))).toBe(false);
  });

  it.each([
    ['y', 0, true],
    ['n', 3, false],
  ])('asks about the change of a request in the arguments too: %s', async (answer, code, isThere) => {
    await using folder = await temporaryFolder();
    await using running = startDemo(['--folder', folder.path, 'write a.md: x'], { terminal });
    await running.until('Allow this action? [y]es');
    running.write(answer);
    expect(await running.end).toBe(code);
    expect(existsSync(join(folder.path, 'a.md'))).toBe(isThere);
  });

  it('showed the result of a call twice: below the call and in the answer', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'a.txt'), 'buy oat milk');
    await using running = startDemo(['--folder', folder.path, 'read a.txt then read b.txt'], { terminal });
    const shown = await running.until('✗ `read b.txt`');
    expect(await running.end).toBe(0);
    expect(shown.match(/buy oat milk/g)).toHaveLength(1);
    expect(shown).toMatch(/View \/a\.txt\r\n(?:.*\r\n)? {2}✓ Done \(\d/);
    expect(shown).toMatch(/View \/b\.txt\r\n(?:.*\r\n)? {2}✗ Failed \(\d/);
  });

  it('obeyed what stands in a file: a title, a cleared screen, a moved cursor', async () => {
    await using folder = await temporaryFolder();
    const hostile = '\u001b]0;owned\u0007 \u001b[2J\u001b[1;1H \u009b2J\u009d0;owned\u009c gone\b\b\b\b';
    await writeFile(join(folder.path, 'a.txt'), hostile);
    await writeFile(join(folder.path, '\u001b[2J\b\u0085b.txt'), 'x');
    await using running = startDemo(['--folder', folder.path, 'read a.txt then list'], { terminal });
    const shown = await running.until('✓ `list`');
    expect(await running.end).toBe(0);
    expect(shown).toContain('owned');
    expect(shown.replaceAll('\r\n', '\n')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it('Ctrl-C ends an answer at once, even if the model hangs: the partial answer stays, and the prompt is back', async () => {
    await using server = await loopback((_, index) =>
      index === 0
        ? {
            body: 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Once upon"}}]}\n\n',
            end: 'hang',
          }
        : {
            body: `data: {"choices":[{"index":0,"delta":{"content":"The end."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
          },
    );
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path, '--model', 'compatible:x', '--base-url', server.url];
    await using running = startDemo(words, { terminal });
    await running.until('> ');
    running.write('Tell me a story.');
    await running.until('Once upon');
    running.press('Ctrl-C');
    await running.until('Interrupted. To go on, type /resume in the chat.');
    running.write('And then?');
    await running.until('The end.\r\n\r\n> '); // before the prompt, Ctrl-C would end the answer
    expect(server.requests[1]?.body).toContain('Once upon');
    running.press('Ctrl-C');
    await running.until('Press Ctrl-C again to exit.');
    running.press('Ctrl-C');
    expect(await running.end).toBe(130);
  });

  it('Ctrl-C at a question ends the answer, and the prompt is back', async () => {
    await using folder = await temporaryFolder();
    await using running = startDemo(['--folder', folder.path], { terminal });
    await running.until('> ');
    running.write('write a.md: x');
    await running.until('Allow this action? [y]es');
    running.press('Ctrl-C');
    await running.until('Interrupted. To go on, type /resume in the chat.');
    running.write('list');
    await running.until('(empty)');
    running.press('Ctrl-D');
    expect(await running.end).toBe(0);
  });
});
