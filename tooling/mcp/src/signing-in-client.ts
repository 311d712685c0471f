import process from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isUtensilError } from '@utensil/core';
import { createSignIn } from '@utensil/interop-mcp/sign-in';

// A client for the conformance suite: it connects to the server of the last argument, signs in if necessary, and calls
// all tools.

const url = process.argv.at(-1) ?? '';
const given = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  client_id?: string;
  client_secret?: string;
};
const redirectUrl = 'http://localhost:3000/callback';
const kept = new Map<string, string>();

const byHand = {
  clientId: given.client_id ?? '',
  ...(given.client_secret !== undefined && { clientSecret: given.client_secret }),
};
/** The suite does not say which issuer has registered the client: each that is asked. */
const anyIssuer = new Proxy<Record<string, typeof byHand>>({}, { get: () => byHand });

const signIn = createSignIn({
  secrets: {
    get: async (key) => kept.get(key),
    set: async (key, value) => void (value === undefined ? kept.delete(key) : kept.set(key, value)),
  },
  redirectUrl,
  clientName: 'conformance',
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(given.client_id !== undefined && { clients: anyIssuer }),
});
const server = signIn.server(url);

/** Does some work, and signs in before it is done again, twice at the most. */
async function signedIn<Value>(work: () => Promise<Value>, left = 2): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (left === 0 || !isUtensilError(error, 'sign_in_needed')) throw error;
    const { url: page } = await server.begin();
    const answer = await fetch(page, { redirect: 'manual' });
    await signIn.finish(answer.headers.get('location') ?? '');
    return signedIn(work, left - 1);
  }
}

const mode = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28' ? 'auto' : 'legacy';

const client = await signedIn(async () => {
  const made = new Client({ name: 'conformance', version: '1.0.0' }, { versionNegotiation: { mode } });
  await made.connect(new StreamableHTTPClientTransport(new URL(url), server.connection()));
  return made;
});
const { tools } = await signedIn(() => client.listTools());
for (const { name } of tools) await signedIn(() => client.callTool({ name, arguments: {} }));
await client.close();
