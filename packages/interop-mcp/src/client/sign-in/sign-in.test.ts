import { describe, expect, it } from 'vitest';
import {
  ada,
  cameBack,
  issuerMetadata,
  issuerUrl,
  keptSecrets,
  redirectUrl,
  scriptedSignIn,
  serverUrl,
} from '../../test-kit/issuer.ts';
import type { Answer, ScriptedSignIn } from '../../test-kit/issuer.ts';
import { clientMetadata, createSignIn } from './index.ts';
import type { ServerSignIn, SignInOptions } from './index.ts';

const tokenAt = `${issuerUrl}/token`;
const issuerAt = `${issuerUrl}/.well-known/oauth-authorization-server`;

/** Sign-in of a user who is signed in. */
async function signedIn(
  answers: Readonly<Record<string, Answer>> = {},
  options: Partial<SignInOptions> = {},
): Promise<ScriptedSignIn & { readonly of: ServerSignIn }> {
  const scripted = scriptedSignIn(answers, options);
  const of = scripted.signIn.server(serverUrl, { principal: ada });
  await scripted.signIn.finish(cameBack((await of.begin()).url), { principal: ada });
  return { ...scripted, of };
}

/** Tokens that are other ones each time. */
function numberedTokens(more: object = {}): () => object {
  let count = 0;
  return () => {
    count += 1;
    return { access_token: `access-${count}`, token_type: 'Bearer', refresh_token: `refresh-${count}`, ...more };
  };
}

const refusal = (status: number, challenge: string): Response =>
  new Response(null, { status, headers: { 'www-authenticate': challenge } });

const asked = ({ sent }: ScriptedSignIn, end: string): number => sent.filter(({ url }) => url.endsWith(end)).length;

describe('the app at an issuer', () => {
  it('is known by its metadata document where the issuer supports that, and not registered', async () => {
    const clientMetadataUrl = 'https://app.example/client.json';
    const metadata = { ...issuerMetadata, client_id_metadata_document_supported: true };
    const scripted = scriptedSignIn({ [issuerAt]: metadata }, { clientMetadataUrl });
    const { url } = await scripted.signIn.server(serverUrl).begin();
    expect(new URL(url).searchParams.get('client_id')).toBe(clientMetadataUrl);
    expect(asked(scripted, '/register')).toBe(0);
    expect(clientMetadata({ clientName: 'Notes', redirectUrl, clientMetadataUrl })).toMatchObject({
      client_id: clientMetadataUrl,
      redirect_uris: [redirectUrl],
    });
  });

  it('is registered once for each user where it does not, whatever the number of servers, until they sign out', async () => {
    const scripted = await signedIn({
      'https://mcp.example/.well-known/oauth-protected-resource/other': {
        resource: 'https://mcp.example/other',
        authorization_servers: [issuerUrl],
      },
    });
    await scripted.of.begin();
    await scripted.signIn.server('https://mcp.example/other', { principal: ada }).begin();
    expect(asked(scripted, '/register')).toBe(1);
    await scripted.signIn.server(serverUrl).begin();
    expect(asked(scripted, '/register')).toBe(2);
    await scripted.of.signOut();
    await scripted.of.begin();
    expect(asked(scripted, '/register')).toBe(3);
  });

  it('is the client that was registered by hand, if there is one', async () => {
    const clients = { [issuerUrl]: { clientId: 'by-hand', clientSecret: 'a-secret' } };
    const scripted = scriptedSignIn({}, { clients });
    const { url } = await scripted.signIn.server(serverUrl).begin();
    expect(new URL(url).searchParams.get('client_id')).toBe('by-hand');
    expect(url).not.toContain('a-secret');
    expect(asked(scripted, '/register')).toBe(0);
  });

  it('is told to be registered by hand if there is no other way', async () => {
    const { registration_endpoint: _, ...metadata } = issuerMetadata;
    const scripted = scriptedSignIn({ [issuerAt]: metadata });
    const beginning = scripted.signIn.server(serverUrl).begin();
    await expect(beginning).rejects.toMatchObject({ message: expect.stringContaining('`clients`') });
  });
});

describe('a sign-in that has begun', () => {
  it('is the same again until it is finished, too late, or not enough', async () => {
    let now = 0;
    const { signIn } = scriptedSignIn({}, { now: () => now, lifetimeMs: 1_000 });
    const of = signIn.server(serverUrl);
    const first = await of.begin();
    expect((await of.begin()).url).toBe(first.url);
    const more = await of.begin({ scopes: ['files'] });
    expect(more.url).not.toBe(first.url);
    await expect(signIn.finish(cameBack(first.url))).rejects.toMatchObject({ code: 'sign_in_failed' });
    now = 1_000;
    await expect(signIn.finish(cameBack(more.url))).rejects.toMatchObject({ code: 'sign_in_failed' });
    expect((await of.begin()).url).not.toBe(more.url);
  });

  it('reports a refusal by the user, and can then begin again', async () => {
    const { signIn } = scriptedSignIn();
    const of = signIn.server(serverUrl);
    const { url } = await of.begin();
    const back = new URL(cameBack(url, { error: 'access_denied' }));
    back.searchParams.delete('code');
    await expect(signIn.finish(back)).rejects.toMatchObject({ message: expect.stringContaining('access_denied') });
    expect((await of.begin()).url).not.toBe(url);
  });
});

describe('a token', () => {
  it('that is refused is renewed once, however many requests it was refused to', async () => {
    const scripted = await signedIn({ [tokenAt]: numberedTokens() });
    const { authProvider, fetch } = scripted.of.connection({ fetch: async () => refusal(401, 'Bearer') });
    const request = async (): Promise<string | undefined> => {
      const headers = { authorization: `Bearer ${await authProvider.token()}` };
      const response = await fetch(serverUrl, { headers });
      await authProvider.onUnauthorized({ response });
      return authProvider.token();
    };
    const renewed = await Promise.all(Array.from({ length: 40 }, request));
    expect(new Set(renewed)).toEqual(new Set(['access-2']));
    expect(asked(scripted, '/token')).toBe(2);
  });

  it('may be refused again after somebody else has renewed it: then it is renewed again, and the call goes through', async () => {
    const scripted = await signedIn({ [tokenAt]: numberedTokens() });
    const used: (string | null)[] = [];
    const { authProvider, fetch } = scripted.of.connection({
      fetch: async (_url, init) => {
        const token = new Headers(init?.headers).get('authorization');
        used.push(token);
        return token === 'Bearer access-3' ? new Response('yes') : refusal(401, 'Bearer');
      },
    });
    const old = { headers: { authorization: `Bearer ${await authProvider.token()}` } };
    await authProvider.onUnauthorized({ response: await fetch(serverUrl, old) }); // another request renews it
    await authProvider.onUnauthorized({ response: await fetch(serverUrl, old) }); // and that one is over by then
    const headers = { authorization: `Bearer ${await authProvider.token()}` };
    expect((await fetch(serverUrl, { headers })).status).toBe(200); // the only retry of a client
    expect(used.map((each) => each?.slice(-1))).toEqual(['1', '1', '2', '3']);
  });

  it('of a user who signs in while a request is out is sent with it again', async () => {
    const scripted = scriptedSignIn({ [tokenAt]: numberedTokens() });
    const of = scripted.signIn.server(serverUrl, { principal: ada });
    const { fetch } = of.connection({
      fetch: async (_url, init) => {
        if (new Headers(init?.headers).has('authorization')) return new Response('yes');
        await scripted.signIn.finish(cameBack((await of.begin()).url), { principal: ada });
        return refusal(401, 'Bearer');
      },
    });
    expect((await fetch(serverUrl)).status).toBe(200);
    expect((await fetch('https://mcp.example/other')).status).toBe(401); // another address does not get it
  });

  it('is renewed once by two processes that wait for each other', async () => {
    const scripted = await signedIn({ [tokenAt]: numberedTokens() });
    let last: Promise<unknown> = Promise.resolve();
    const secrets = {
      ...scripted.secrets,
      exclusively: async <Value>(_: string, work: () => Promise<Value>): Promise<Value> => {
        const mine = last.then(work, work);
        last = mine;
        return mine;
      },
    };
    const process = () => createSignIn({ secrets, redirectUrl, clientName: 'Notes', fetch: scripted.fetch });
    const renew = async (): Promise<string | undefined> => {
      const { authProvider, fetch } = process()
        .server(serverUrl, { principal: ada })
        .connection({ fetch: async () => refusal(401, 'Bearer') });
      const response = await fetch(serverUrl, { headers: { authorization: 'Bearer access-1' } });
      await authProvider.onUnauthorized({ response });
      return authProvider.token();
    };
    expect(await Promise.all([renew(), renew()])).toEqual(['access-2', 'access-2']);
    expect(asked(scripted, '/token')).toBe(2);
  });

  it('is renewed before its end, for who asks for it', async () => {
    let now = 0;
    const scripted = await signedIn({ [tokenAt]: numberedTokens({ expires_in: 100 }) }, { now: () => now });
    const { authProvider } = scripted.of.connection();
    expect(await authProvider.token()).toBe('access-1');
    now = 80_000;
    expect(await Promise.all([authProvider.token(), authProvider.token()])).toEqual(['access-2', 'access-2']);
    expect(asked(scripted, '/token')).toBe(2);
  });

  it('that nobody renews is forgotten, and the user is needed', async () => {
    const answers = [{ access_token: 'a', token_type: 'Bearer', refresh_token: 'r' }];
    const token = (): object | Response => answers.pop() ?? Response.json({ error: 'invalid_grant' }, { status: 400 });
    const { of } = await signedIn({ [tokenAt]: token });
    const { authProvider, fetch } = of.connection({ fetch: async () => refusal(401, 'Bearer') });
    const response = await fetch(serverUrl, { headers: { authorization: 'Bearer a' } });
    await expect(authProvider.onUnauthorized({ response })).rejects.toMatchObject({ code: 'sign_in_needed' });
    expect(await of.signedIn()).toBeUndefined();
  });

  it.each<readonly [string, () => Response]>([
    [
      'cannot be reached',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
    ['is overloaded', () => new Response('<html>', { status: 503 })],
  ])('is kept while its issuer %s', async (_, failing) => {
    const answers = [{ access_token: 'a', token_type: 'Bearer', refresh_token: 'r' }];
    const { of } = await signedIn({ [tokenAt]: () => answers.pop() ?? failing() });
    const { authProvider, fetch } = of.connection({ fetch: async () => refusal(401, 'Bearer') });
    const response = await fetch(serverUrl, { headers: { authorization: 'Bearer a' } });
    const renewing = authProvider.onUnauthorized({ response });
    await expect(renewing).rejects.toMatchObject({ code: 'sign_in_failed', retryable: true });
    expect(await of.signedIn()).toBeDefined();
  });

  it('of another user, server or issuer is never sent', async () => {
    const { signIn, of, secrets } = await signedIn();
    expect(await of.connection().authProvider.token()).toBe('access-1');
    expect(await signIn.server(serverUrl).connection().authProvider.token()).toBeUndefined();
    const other = signIn.server('https://mcp.example/other', { principal: ada });
    expect(await other.connection().authProvider.token()).toBeUndefined();
    const values = [...secrets.kept].filter(([, value]) => value.includes('access-1'));
    expect(values).toHaveLength(1);
    expect(values[0]?.[1]).toContain(JSON.stringify(['tokens', 'ada', issuerUrl, serverUrl]));
  });

  it('is forgotten on sign-out, and revoked at the issuer', async () => {
    const revocation = `${issuerUrl}/revoke`;
    const scripted = await signedIn({
      [issuerAt]: { ...issuerMetadata, revocation_endpoint: revocation },
      [revocation]: {},
    });
    await scripted.of.signOut();
    expect(await scripted.of.signedIn()).toBeUndefined();
    expect(scripted.sent.at(-1)).toMatchObject({ url: revocation, body: expect.stringContaining('token=refresh-1') });
    expect([...scripted.secrets.kept.values()].join('\n')).not.toMatch(/access-1|refresh-1/);
  });
});

describe('a server that asks for more', () => {
  const tooLittle = 'Bearer error="insufficient_scope", scope="files mail"';

  it('needs the user, who is then asked for that and for what was allowed before', async () => {
    const { of, signIn } = await signedIn({ [tokenAt]: numberedTokens({ scope: 'tools' }) });
    const { fetch } = of.connection({ fetch: async () => refusal(403, tooLittle) });
    const call = fetch(serverUrl, { headers: { authorization: 'Bearer access-1' } });
    await expect(call).rejects.toMatchObject({
      code: 'sign_in_needed',
      message: expect.stringContaining('files mail'),
    });
    const { url, scopes } = await of.begin();
    expect(scopes).toEqual(['tools', 'files', 'mail']);
    expect(new URL(url).searchParams.get('scope')).toBe('tools files mail');
    await signIn.finish(cameBack(url), { principal: ada });
    expect(await of.connection().authProvider.token()).toBe('access-2');
  });

  it('is not asked about for ever if the user has allowed it', async () => {
    const { of } = await signedIn({ [tokenAt]: numberedTokens({ scope: 'files mail' }) });
    const { fetch } = of.connection({ fetch: async () => refusal(403, tooLittle) });
    const call = fetch(serverUrl, { headers: { authorization: 'Bearer access-1' } });
    await expect(call).rejects.toMatchObject({ code: 'sign_in_failed' });
  });

  it('names its metadata elsewhere in vain', async () => {
    const scripted = scriptedSignIn();
    const of = scripted.signIn.server(serverUrl);
    const response = refusal(401, 'Bearer resource_metadata="https://169.254.169.254/latest"');
    const needed = of.connection().authProvider.onUnauthorized({ response });
    await expect(needed).rejects.toMatchObject({ code: 'sign_in_needed' });
    await of.begin();
    expect(scripted.sent.filter(({ url }) => url.includes('169.254'))).toEqual([]);
  });
});

describe('addresses of the app', () => {
  it.each(['http://app.example/back', 'javascript:alert(1)', 'https://a:b@app.example/', 'back'])(
    'refuses %s to come back to',
    (address) => {
      const making = () => createSignIn({ secrets: keptSecrets(), redirectUrl: address, clientName: 'Notes' });
      expect(making).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    },
  );

  it.each(['http://mcp.example/', 'file:///etc/passwd', 'mcp'])('refuses the server %s', (address) => {
    const { signIn } = scriptedSignIn();
    expect(() => signIn.server(address)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  });

  it.each(['http://app.example/client.json', 'https://app.example', 'client'])(
    'refuses the metadata at %s',
    (address) => {
      const making = () =>
        createSignIn({ secrets: keptSecrets(), redirectUrl, clientName: 'Notes', clientMetadataUrl: address });
      expect(making).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    },
  );
});
