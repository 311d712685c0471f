import { describe, expect, it } from 'vitest';
import { serveMcpHttp } from '../node/index.ts';
import { address, serve, tool, toolsetOf } from '../test-kit/served.ts';

const card = { name: 'com.example/notes', description: 'Reads notes.', url: address };
const toolset = toolsetOf([tool('echo')]);
const auth = { resource: address, authorizationServers: ['https://issuer.example'], verify: async () => undefined };

describe('the card of a server', () => {
  it('says who it is and where, without a token and without its tools', async () => {
    const { fetch } = serve(toolset, { card, auth, title: 'Notes' });
    const answer = await fetch(new Request(`${address}/server-card`));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      $schema: expect.stringContaining('server-card.schema.json') as string,
      name: 'com.example/notes',
      version: '1.0.0',
      description: 'Reads notes.',
      title: 'Notes',
      remotes: [
        {
          type: 'streamable-http',
          url: address,
          headers: [{ name: 'Authorization', isRequired: true, isSecret: true }],
        },
      ],
    });
    expect((await fetch(new Request(address, { method: 'POST' }))).status).toBe(401);
  });

  it('is only read, by names that are allowed, and is not there by default', async () => {
    const { fetch } = serve(toolset, { card });
    const status = async (request: Request): Promise<number> => (await fetch(request)).status;
    expect(await status(new Request(`${address}/server-card`, { method: 'POST' }))).toBe(405);
    expect(await status(new Request('http://evil.example/mcp/server-card'))).toBe(403);
    expect((await serve(toolset).fetch(new Request(`${address}/server-card`))).status).not.toBe(200);
  });

  it('is served on a port', async () => {
    const about = { name: 'notes', version: '1' };
    const { url, close } = await serveMcpHttp(toolset, { ...about, card });
    expect(await (await fetch(`${url}/server-card`)).json()).toMatchObject({ name: 'com.example/notes' });
    await close();
  });

  it.each([
    [{ ...card, name: 'notes' }, 'must be like com.example/notes'],
    [{ ...card, url: 'notes' }, "must be the server's address"],
  ])('is refused if it is %j', (wrong, reason) => {
    expect(() => serve(toolset, { card: wrong })).toThrow(reason);
  });
});
