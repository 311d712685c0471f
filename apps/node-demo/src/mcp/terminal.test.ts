// MCP servers in the terminal, as a person sees them, and the processes left after the program ends.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, vi } from 'vitest';
import { startIssuer, startProtected } from '../../../../tooling/mcp/src/issuer.ts';
import { callingModel } from '../test-kit/calling-model.ts';
import { officialServer } from '../test-kit/official-server.ts';
import { type RunningDemo, startDemo, temporaryFolder } from '../test-kit/spawn-demo.ts';

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');
const why = hasScript ? '' : ' (not tried: there is no `script` of util-linux to make a terminal)';
const terminal = true;

/** Programs of the tests of interop-mcp: a server that starts a stubborn process, and one that asks. */
const own = (name: string): string =>
  `${process.execPath} ${join(import.meta.dirname, `../../../../packages/interop-mcp/src/test-kit/${name}-server.ts`)}`;

/** A server that says that it was started, in a file of the folder, and nothing more. */
const silent = `${process.execPath} -e "require('fs').writeFileSync('started','');setInterval(()=>{},1000)"`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf(why)(`in a terminal${why}`, { concurrent: true }, () => {
  it('lists servers with what they are, and ends with Ctrl-D', async () => {
    await using folder = await temporaryFolder();
    await using running = startDemo(['--folder', folder.path], { terminal });
    await running.until('> ');
    running.write(`/mcp add every ${officialServer('everything')}`);
    await running.until('every: connected, ');
    running.write('/mcp');
    expect(await running.until('Everything Reference Server')).toMatch(/every {2}stdio · connected, \d+ tools · /);
    running.press('Ctrl-D');
    expect(await running.end).toBe(0);
  });

  it('has its prompt while a server does not answer, which Ctrl-C stops waiting for', async () => {
    await using folder = await temporaryFolder();
    await using running = startDemo(['--folder', folder.path], { terminal });
    await running.until('> ');
    running.write(`/mcp add slow ${silent}`);
    await vi.waitFor(() => expect(existsSync(join(folder.path, 'started'))).toBe(true), { timeout: 100_000 });
    running.press('Ctrl-C');
    await running.until('slow: connecting …');
    running.write('list');
    await running.until('✓ `list`');
    running.press('Ctrl-D');
    expect(await running.end).toBe(0);
  });

  it('puts the question of a server to the person, with its name', async () => {
    await using folder = await temporaryFolder();
    await using model = await callingModel([{ name: 'shop_form', input: {} }]);
    const words = ['--folder', folder.path, '--yes', '--base-url', model.url];
    await using running = startDemo(words, { terminal, env: model.env });
    await running.until('> ');
    running.write(`/mcp add shop ${own('asking')}`);
    await running.until('shop: connected, 8 tools.');
    running.write('Order one.');
    await running.until('The MCP server "shop" asks: Who is it for?');
    await running.until('Answer? [y]es · [n]o: ');
    running.write('y');
    await running.until('Your name: ');
    running.write('Ada');
    await running.until('1 Small · 2 Medium: ');
    running.write('1');
    await running.until('count (2): ');
    running.write('three'); // no number: it is asked again
    await running.until('three\r\r\n  count (2): ');
    running.write('3');
    await running.until('gift [y]es · [n]o (no): ');
    running.write('');
    await running.until('Done.');
    expect(model.requests[1]?.body).toContain(
      String.raw`{\"action\":\"accept\",\"content\":{\"size\":\"s\",\"count\":3,\"name\":\"Ada\"}}`,
    );
  });
});

describe.concurrent('the processes of a server', () => {
  it.each<[string, (running: RunningDemo) => void, number | string]>([
    ['the end of the input', (running) => running.write('/quit'), 0],
    ['SIGTERM', (running) => running.signal('SIGTERM'), 143],
    ['Ctrl-C', (running) => running.signal('SIGINT'), 130],
  ])('end with the demo, those too that heed nothing but force: %s', async (_, end, code) => {
    await using folder = await temporaryFolder();
    const isInMidCall = code === 130;
    const calls = isInMidCall ? ['tree_pids', 'tree_wait'] : ['tree_pids'];
    await using model = await callingModel(calls.map((name) => ({ name, input: {} })));
    const words = ['--folder', folder.path, '--yes', '--base-url', model.url];
    await using running = startDemo(words, { env: model.env });
    running.write(`/mcp add tree ${own('tree')}`);
    await running.until('tree: connected, 4 tools.');
    running.write('Which processes?');
    const shown = await running.until(isInMidCall ? '● tree_wait' : 'Done.');
    const [, ...pids] = /\[\s*(\d+),\s*(\d+)\s*\]/.exec(shown)?.map(Number) ?? [];
    expect(pids).toHaveLength(2);
    expect(pids.every(isAlive)).toBe(true);
    end(running);
    expect(await running.end).toBe(code);
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 100_000 });
  });
});

describe.concurrent('/mcp sign-in', () => {
  it('prints the page to open, takes the browser back, and brings the tools', async () => {
    const issuer = await startIssuer();
    const server = await startProtected(issuer);
    try {
      await using folder = await temporaryFolder();
      await using model = await callingModel([{ name: 'tasks_whoami', input: {} }]);
      const words = ['--folder', folder.path, '--yes', '--base-url', model.url];
      await using running = startDemo(words, { env: model.env });
      running.write(`/mcp add tasks ${server.url}`);
      await running.until('tasks: needs you to sign in.\nSign in: /mcp sign-in tasks');
      running.write('/mcp sign-in tasks');
      await running.until('Ctrl-C stops waiting.');
      const shown = await running.until('code_challenge_method=S256');
      const [page = ''] = shown.match(/^http:\/\/127\.0\.0\.1\S+code_challenge\S+$/m) ?? [];
      expect(page).toMatch(issuer.url);
      const back = await issuer.browse(page, 'ada');
      const other = await fetch(new URL('/', back));
      expect(other.status).toBe(404);
      const forged = new URL(back);
      forged.searchParams.set('state', 'guessed');
      expect((await fetch(forged)).status).toBe(404); // a page that guesses the port ends nothing
      const answer = await fetch(back);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('You are signed in.')]);
      await running.until('Signed in. tasks: connected, 1 tool.');
      running.write('Who am I?');
      await running.until('Done.');
      expect(model.requests[1]?.body).toContain('ada');
      await expect(fetch(back)).rejects.toThrow('fetch failed'); // the port is closed again
    } finally {
      await server.close();
      await issuer.close();
    }
  });
});
