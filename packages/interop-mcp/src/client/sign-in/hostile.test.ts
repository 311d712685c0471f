import { describe, expect, it } from 'vitest';
import {
  ada,
  bob,
  cameBack,
  issuerMetadata,
  issuerUrl,
  redirectUrl,
  resourceMetadata,
  scriptedSignIn,
  serverUrl,
} from '../../test-kit/issuer.ts';
import type { Answer, ScriptedSignIn } from '../../test-kit/issuer.ts';

const resourceAt = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';
const issuerAt = `${issuerUrl}/.well-known/oauth-authorization-server`;
const giant = (): Response => Response.json({ ...issuerMetadata, padding: 'x'.repeat(300_000) });
const withMetadata = (more: object): Record<string, Answer> => ({ [issuerAt]: { ...issuerMetadata, ...more } });
const withResource = (more: object): Record<string, Answer> => ({ [resourceAt]: { ...resourceMetadata, ...more } });
const redirect = (to: string) => (): Response => new Response(null, { status: 302, headers: { location: to } });

/** Bytes without an end. */
const endless = (): Response => {
  const chunk = new Uint8Array(65_536).fill(32);
  return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }));
};

const begin = ({ signIn }: ScriptedSignIn) => signIn.server(serverUrl, { principal: ada }).begin();

const dishonest: readonly (readonly [string, Record<string, Answer>, RegExp])[] = [
  ['names itself otherwise than the server does', withMetadata({ issuer: 'https://other.example' }), /another one/],
  ['names another server as the resource', withResource({ resource: 'https://bank.example/mcp' }), /another one/],
  ['names another path as the resource', withResource({ resource: 'https://mcp.example/mc' }), /another one/],
  ['has a page to sign in that is a script', withMetadata({ authorization_endpoint: 'javascript:alert(1)' }), /./],
  ['has a page to sign in over http', withMetadata({ authorization_endpoint: 'http://issuer.example/a' }), /https/],
  [
    'has a page to sign in with a password',
    withMetadata({ authorization_endpoint: 'https://a:b@issuer.example/' }),
    /password/,
  ],
  ['takes codes over http', withMetadata({ token_endpoint: 'http://issuer.example/token' }), /https/],
  [
    'takes codes at the metadata of a cloud',
    withMetadata({ token_endpoint: 'https://169.254.169.254/token' }),
    /private/,
  ],
  ['takes codes at this machine, as a number', withMetadata({ token_endpoint: 'https://2130706433/token' }), /private/],
  [
    'takes codes at this machine, in IPv6',
    withMetadata({ token_endpoint: 'https://[::ffff:7f00:1]/token' }),
    /private/,
  ],
  [
    'registers apps in the network of the office',
    withMetadata({ registration_endpoint: 'https://10.0.0.8/r' }),
    /private/,
  ],
  [
    'takes tokens back at a name of the office',
    withMetadata({ revocation_endpoint: 'https://vault.internal/r' }),
    /private/,
  ],
  [
    'is on this machine, and the server is not',
    withResource({ authorization_servers: ['http://localhost:8080'] }),
    /https/,
  ],
  ['takes codes at this machine, with a dot', withMetadata({ token_endpoint: 'https://localhost./token' }), /private/],
  ['takes codes at a name of the office, with a dot', withMetadata({ token_endpoint: 'https://wiki./t' }), /private/],
  ['takes codes at this machine, in hexadecimal', withMetadata({ token_endpoint: 'https://0x7f.1/token' }), /private/],
  ['takes codes in a private network of IPv6', withMetadata({ token_endpoint: 'https://[fd00::1]/token' }), /private/],
  ['is a file', withResource({ authorization_servers: ['file:///etc/passwd'] }), /./],
  ['has no PKCE', withMetadata({ code_challenge_methods_supported: undefined }), /PKCE/],
  ['has PKCE without hashes', withMetadata({ code_challenge_methods_supported: ['plain'] }), /PKCE/],
  ['has giant metadata', { [issuerAt]: giant }, /bytes/],
  ['has metadata without an end', { [issuerAt]: endless }, /bytes/],
  ['has metadata that are no JSON', { [issuerAt]: '<html>' }, /./],
  ['sends who asks for its metadata elsewhere', { [issuerAt]: redirect('https://169.254.169.254/latest/') }, /./],
  ['gives no code', withMetadata({ response_types_supported: ['token'] }), /no way/],
  ['has no metadata', { [issuerAt]: new Response('', { status: 404 }) }, /metadata/],
];

describe('a server or an issuer that is not honest', () => {
  it.each(dishonest)('gets no user, no code and no token if it %s', async (_, answers, message) => {
    const scripted = scriptedSignIn(answers);
    await expect(begin(scripted)).rejects.toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringMatching(message),
    });
    const asked = new Set(scripted.sent.map(({ url }) => new URL(url).host));
    expect([...asked].filter((host) => host !== 'mcp.example' && host !== 'issuer.example')).toEqual([]);
    expect(scripted.sent.filter(({ body }) => body !== '')).toEqual([]);
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another issuer, with an error', { iss: 'https://evil.example', error: 'access_denied' }],
    ['a longer name of the issuer', { iss: `${issuerUrl}.evil.example` }],
  ])('gets no code that came with %s', async (_, parameters) => {
    const scripted = scriptedSignIn();
    const { url } = await begin(scripted);
    const answer = scripted.signIn.finish(cameBack(url, parameters), { principal: ada });
    await expect(answer).rejects.toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringMatching(/another issuer/),
    });
    expect(scripted.sent.filter(({ url: to }) => to.endsWith('/token'))).toEqual([]);
  });

  it('gets no code without its name, if it says that it gives one', async () => {
    const scripted = scriptedSignIn();
    const { url } = await begin(scripted);
    const back = new URL(cameBack(url));
    back.searchParams.delete('iss');
    await expect(scripted.signIn.finish(back, { principal: ada })).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect(scripted.sent.filter(({ url: to }) => to.endsWith('/token'))).toEqual([]);
  });

  it('gets no code for an address with two of them', async () => {
    const scripted = scriptedSignIn();
    const { url } = await begin(scripted);
    const back = `${cameBack(url)}&code=code-2`;
    await expect(scripted.signIn.finish(back, { principal: ada })).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  it.each<readonly [string, object]>([
    ['of a kind that is not known', { access_token: 'a', token_type: 'mac' }],
    ['with a line break', { access_token: 'a\r\nhost: evil', token_type: 'Bearer' }],
    ['that is too long for a header', { access_token: 'a'.repeat(20_000), token_type: 'Bearer' }],
    ['that is none', { token_type: 'Bearer' }],
  ])('gives no token %s', async (_, answer) => {
    const scripted = scriptedSignIn({ [`${issuerUrl}/token`]: answer });
    const { url } = await begin(scripted);
    await expect(scripted.signIn.finish(cameBack(url), { principal: ada })).rejects.toMatchObject({
      code: 'sign_in_failed',
    });
    expect(await scripted.signIn.server(serverUrl, { principal: ada }).signedIn()).toBeUndefined();
  });

  it('does not get a secret into an error by repeating it', async () => {
    const echo = ({ body }: RequestInit): Response =>
      Response.json({ error: 'invalid_grant', error_description: `Got ${String(body)}` }, { status: 400 });
    const scripted = scriptedSignIn({ [`${issuerUrl}/token`]: echo });
    const { url } = await begin(scripted);
    const error: unknown = await scripted.signIn
      .finish(cameBack(url), { principal: ada })
      .catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'sign_in_failed', message: expect.stringContaining('invalid_grant') });
    expect(error).not.toHaveProperty('cause');
    expect((error as Error).message).not.toContain('code-1');
  });
});

describe('a person who is not the one that began', () => {
  it('cannot finish a sign-in, which still waits for who did', async () => {
    const scripted = scriptedSignIn();
    const { url } = await begin(scripted);
    for (const options of [{ principal: bob }, {}, { principal: { id: '' } }])
      await expect(scripted.signIn.finish(cameBack(url), options)).rejects.toMatchObject({ code: 'sign_in_failed' });
    await scripted.signIn.finish(cameBack(url), { principal: ada });
    expect(await scripted.signIn.server(serverUrl, { principal: ada }).signedIn()).toBeDefined();
    expect(await scripted.signIn.server(serverUrl, { principal: bob }).signedIn()).toBeUndefined();
  });

  it('cannot finish one twice, nor at the same time', async () => {
    const scripted = scriptedSignIn();
    const { url } = await begin(scripted);
    const both = [1, 2, 3].map(() => scripted.signIn.finish(cameBack(url), { principal: ada }));
    const statuses = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(statuses.filter((each) => each === 'fulfilled')).toHaveLength(1);
    expect(scripted.sent.filter(({ url: to }) => to.endsWith('/token'))).toHaveLength(1);
  });

  it.each([redirectUrl.replace('app.', 'evil.'), `${redirectUrl}/more`, 'nonsense'])(
    'cannot finish one with the address %s',
    async (address) => {
      const { signIn } = scriptedSignIn();
      await expect(signIn.finish(`${address}?code=1&state=2`)).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );
});

describe('secrets that are not what they were', () => {
  it('that were put in place of those of another user count as none', async () => {
    const { signIn, secrets } = scriptedSignIn();
    const of = signIn.server(serverUrl, { principal: ada });
    const { url } = await of.begin();
    await signIn.finish(cameBack(url), { principal: ada });
    const ofBob = signIn.server(serverUrl, { principal: bob });
    const before = await ofBob.begin();
    const keysOf = (id: string): string[] =>
      [...secrets.kept.keys()].filter((key) => key.startsWith(`${id} mcp.account`));
    secrets.kept.set(keysOf('bob')[0] ?? '', secrets.kept.get(keysOf('ada')[0] ?? '') ?? '');
    expect(await ofBob.signedIn()).toBeUndefined();
    expect((await ofBob.begin()).url).not.toBe(before.url);
  });

  it.each(['', '{', 'null', '[]', '{"of":[]}', '"text"'])('that are damaged as %j count as none', async (damaged) => {
    const { signIn, secrets } = scriptedSignIn();
    const of = signIn.server(serverUrl, { principal: ada });
    await signIn.finish(cameBack((await of.begin()).url), { principal: ada });
    for (const key of secrets.kept.keys()) secrets.kept.set(key, damaged);
    expect(await of.signedIn()).toBeUndefined();
    expect(await of.connection().authProvider.token()).toBeUndefined();
    await signIn.finish(cameBack((await of.begin()).url), { principal: ada });
    expect(await of.signedIn()).toBeDefined();
  });
});
