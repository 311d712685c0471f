import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '@utensil/core';
import { createSignIn } from '@utensil/interop-mcp/sign-in';
import type { ServerSignIn, SignIn, WritableSecrets } from '@utensil/interop-mcp/sign-in';
import { startIssuer, startProtected } from './issuer.ts';
import type { Issuer } from './issuer.ts';

const redirectUrl = 'http://127.0.0.1:9/signed-in';

const ada: Principal = { id: 'ada' };
const bob: Principal = { id: 'bob' };

let issuer: Issuer;
let server: Awaited<ReturnType<typeof startProtected>>;
const wants = { scopes: [] as readonly string[] };

beforeAll(async () => {
  issuer = await startIssuer();
  server = await startProtected(issuer, wants);
});

afterAll(async () => {
  await server.close();
  await issuer.close();
});

/** Secrets by principal, in memory. */
function keptSecrets(kept = new Map<string, string>()): WritableSecrets & { readonly kept: Map<string, string> } {
  const at = (key: string, principal?: Principal): string => `${principal?.id ?? ''} ${key}`;
  return {
    kept,
    get: async (key, { principal } = {}) => kept.get(at(key, principal)),
    async set(key, value, { principal } = {}) {
      if (value === undefined) kept.delete(at(key, principal));
      else kept.set(at(key, principal), value);
    },
  };
}

const signInOf = (secrets: WritableSecrets, now = Date.now): SignIn =>
  createSignIn({ secrets, redirectUrl, clientName: 'Tests', now });

/** A call of the tool that says for whom it works. */
async function whoami(of: ServerSignIn): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(of.url), of.connection()));
    const { content } = await client.callTool({ name: 'whoami', arguments: {} });
    return content;
  } finally {
    await client.close().catch(() => undefined);
  }
}

async function signInAs(signIn: SignIn, principal: Principal, account = principal.id): Promise<ServerSignIn> {
  const of = signIn.server(server.url, { principal });
  const { url } = await of.begin();
  await signIn.finish(await issuer.browse(url, account), { principal });
  return of;
}

const text = (said: string): object[] => [{ type: 'text', text: said }];

describe('sign-in to an MCP server over an issuer that others wrote', () => {
  it('registers the app, signs a user in and calls a tool as that user', async () => {
    const secrets = keptSecrets();
    const signIn = signInOf(secrets);
    const of = signIn.server(server.url, { principal: ada });
    await expect(whoami(of)).rejects.toMatchObject({ code: 'sign_in_needed' });
    const { url } = await of.begin();
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      resource: server.url,
    });
    const finished = await signIn.finish(await issuer.browse(url, 'ada.lovelace'), { principal: ada });
    expect(finished).toMatchObject({ server: server.url, issuer: issuer.url });
    expect(await whoami(of)).toEqual(text('ada.lovelace'));
  });

  it('keeps two users with two accounts on one server apart', async () => {
    const secrets = keptSecrets();
    const signIn = signInOf(secrets);
    const ofAda = await signInAs(signIn, ada);
    const ofBob = signIn.server(server.url, { principal: bob });
    await expect(whoami(ofBob)).rejects.toMatchObject({ code: 'sign_in_needed' });
    await signInAs(signIn, bob);
    expect(await Promise.all([whoami(ofAda), whoami(ofBob), whoami(ofAda)])).toEqual(['ada', 'bob', 'ada'].map(text));
    await ofAda.signOut();
    await expect(whoami(ofAda)).rejects.toMatchObject({ code: 'sign_in_needed' });
    expect(await whoami(ofBob)).toEqual(text('bob'));
  });
});
