import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  answerQuestion,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openQuestions,
  openThread,
  resolveToolset,
  resume,
  run,
} from '@utensil/core';
import type { Model, Principal } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { mcpSource } from '@utensil/interop-mcp/client';
import { createSignIn, signInTool } from '@utensil/interop-mcp/sign-in';
import type { ServerSignIn, SignIn, WritableSecrets } from '@utensil/interop-mcp/sign-in';
import { memoryStorage } from '@utensil/storage-memory';
import { boundServer, boundUrl } from './bound-server.ts';
import { startIssuer, startProtected } from './issuer.ts';
import type { Issuer } from './issuer.ts';

const redirectUrl = 'http://127.0.0.1:9/signed-in';

const ada: Principal = { id: 'ada' };
const bob: Principal = { id: 'bob' };

let issuer: Issuer;
let server: Awaited<ReturnType<typeof startProtected>>;

beforeAll(async () => {
  issuer = await startIssuer();
  server = await startProtected(issuer);
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
async function whoami(of: ServerSignIn, options: Parameters<ServerSignIn['connection']>[0] = {}): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(of.url), of.connection(options)));
    const { content } = await client.callTool({ name: 'whoami', arguments: {} });
    return content;
  } finally {
    await client.close().catch(() => undefined);
  }
}

/** Signs a user in to a server, under an account of the same name. */
async function signInAs(
  signIn: SignIn,
  { principal, url: at }: { principal: Principal; url: string },
): Promise<ServerSignIn> {
  const of = signIn.server(at, { principal });
  const { url } = await of.begin();
  await signIn.finish(await issuer.browse(url, principal.id), { principal });
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

  it('takes no code of another issuer, though it comes with the state of a sign-in that waits', async () => {
    const other = await startIssuer();
    const theirs = await startProtected(other);
    const signIn = signInOf(keptSecrets());
    const ours = signIn.server(server.url, { principal: ada });
    const { url } = await ours.begin();
    const elsewhere = await signIn.server(theirs.url, { principal: ada }).begin();
    const answer = new URL(await other.browse(elsewhere.url, 'ada'));
    answer.searchParams.set('state', new URL(url).searchParams.get('state') ?? '');
    const before = issuer.asked['/token'];
    await expect(signIn.finish(answer, { principal: ada })).rejects.toMatchObject({
      code: 'sign_in_failed',
      message: expect.stringContaining('another issuer') as string,
    });
    expect([issuer.asked['/token'], other.asked['/token']]).toEqual([before, undefined]); // neither got the code
    expect(await ours.signedIn()).toBeUndefined();
    await Promise.all([theirs.close(), other.close()]);
  });

  it('keeps two users with two accounts on one server apart', async () => {
    const secrets = keptSecrets();
    const signIn = signInOf(secrets);
    const ofAda = await signInAs(signIn, { principal: ada, url: server.url });
    const ofBob = signIn.server(server.url, { principal: bob });
    await expect(whoami(ofBob)).rejects.toMatchObject({ code: 'sign_in_needed' });
    await signInAs(signIn, { principal: bob, url: server.url });
    expect(await Promise.all([whoami(ofAda), whoami(ofBob), whoami(ofAda)])).toEqual(['ada', 'bob', 'ada'].map(text));
    await ofAda.signOut();
    await expect(whoami(ofAda)).rejects.toMatchObject({ code: 'sign_in_needed' });
    expect(await whoami(ofBob)).toEqual(text('bob'));
  });

  it('renews a token once for many calls at once, at an issuer that revokes all if it is renewed twice', async () => {
    const secrets = keptSecrets();
    const of = await signInAs(signInOf(secrets), { principal: ada, url: server.url });
    await revokeAccess(secrets);
    const before = issuer.asked['/token'] ?? 0;
    expect(await Promise.all(Array.from({ length: 25 }, () => whoami(of)))).toEqual(Array(25).fill(text('ada')));
    expect((issuer.asked['/token'] ?? 0) - before).toBe(1);
    await revokeAccess(secrets);
    expect(await whoami(of)).toEqual(text('ada'));
  });

  it('asks for more when the server does, and keeps what was allowed', async () => {
    const secrets = keptSecrets();
    const signIn = signInOf(secrets);
    const narrow = await startProtected(issuer, { scopes: ['tools'] });
    const of = await signInAs(signIn, { principal: ada, url: narrow.url });
    expect(await whoami(of)).toEqual(text('ada'));
    await narrow.close();
    const wide = await startProtected(issuer, { scopes: ['tools', 'files'], port: Number(new URL(narrow.url).port) });
    try {
      const source = mcpSource({ url: wide.url, signIn: of });
      const listing = Promise.resolve(source.list({ signal: AbortSignal.timeout(60_000) }));
      await expect(listing).rejects.toMatchObject({ code: 'sign_in_needed' });
      await source.close();
      await expect(whoami(of)).rejects.toMatchObject({
        code: 'sign_in_needed',
        message: expect.stringContaining('files'),
      });
      await signInAs(signIn, { principal: ada, url: wide.url });
      expect(await whoami(of)).toEqual(text('ada'));
      expect((await of.signedIn())?.scopes).toEqual(expect.arrayContaining(['tools', 'files']));
    } finally {
      await wide.close();
    }
  });

  it('waits in a thread as a question with an address, which is answered a week later in another process', async () => {
    const secrets = keptSecrets();
    const storage = memoryStorage();
    let now = Date.now();
    const start = () => {
      const signIn = signInOf(secrets, () => now);
      const remote = defineTool({
        name: 'tasks__whoami',
        description: 'Says who it works for.',
        input: jsonSchema({ type: 'object' }),
        effects: 'read',
        execute: (_input, _options, { principal }) => whoami(signIn.server(server.url, principal && { principal })),
      });
      const asking = signInTool({ name: 'tasks__sign_in', title: 'Tasks', url: server.url, signIn });
      const toolset = resolveToolset(createRegistry([remote, asking]), emptySettings, {});
      const thread = openThread(createRecords(storage), 'chat');
      return {
        signIn,
        thread,
        options: {
          toolset,
          thread,
          principal: ada,
          questions: { parkAfterMs: 0 },
          environment: { now: () => now, id: randomUUID },
        },
      };
    };

    const first = start();
    const calls = (name: string) => ({ calls: [{ name }] });
    const model = scriptedModel([calls('tasks__whoami'), calls('tasks__sign_in')]);
    expect((await run({ ...first.options, model, messages: 'Who am I?' }).result).status).toBe('needs-input');

    now += 7 * 24 * 60 * 60 * 1_000;
    const later = start();
    const [question] = await openQuestions(later.thread);
    expect(question).toMatchObject({ kind: 'input', preview: { type: 'authorize', issuer: issuer.url } });
    const preview = question?.preview as { readonly url: string };
    await later.signIn.finish(await issuer.browse(preview.url, 'ada'), { principal: ada });
    const answer = { output: { signedIn: true } };
    await answerQuestion(later.thread, { questionId: question?.id ?? '', answer }, () => now);
    const goesOn = resume({ ...later.options, model: scriptedModel([calls('tasks__whoami'), { text: 'Ada.' }]) });
    const { status, messages } = await goesOn.result;
    expect(status).toBe('complete');
    expect(JSON.stringify(messages)).toContain(JSON.stringify(text('ada')));

    const events = [];
    for await (const event of goesOn.events()) events.push(event);
    const stored = JSON.stringify([(await later.thread.read()).entries, events]);
    const held = secretsIn(secrets);
    expect(held.length).toBeGreaterThan(1);
    expect(held.filter((each) => stored.includes(each))).toEqual([]);
  });

  it('brings the tools of a server into a run whose user signs in while it goes on', async () => {
    const secrets = keptSecrets();
    const signIn = signInOf(secrets);
    const registry = createRegistry([
      signInTool({ name: 'sign_in_to_tasks', title: 'Tasks', url: server.url, signIn }),
    ]);
    const problems: string[] = [];
    const source = mcpSource(
      { url: server.url, signIn: signIn.server(server.url, { principal: ada }) },
      { onProblem: (problem) => problems.push(problem) },
    );
    const mount = registry.mount(source, { namespace: 'tasks' });
    await mount.ready;
    expect(problems).toEqual([expect.stringContaining('The user has to sign in')]);
    expect(source.status).toMatchObject({ state: 'degraded', needsSignIn: true });
    const toolset = () => resolveToolset(registry, emptySettings, {});
    expect(toolset().tool('tasks_whoami')).toBeUndefined();

    const calls = (name: string) => ({ calls: [{ name }] });
    const turns = [calls('sign_in_to_tasks'), calls('tasks_whoami'), calls('tasks_whoami'), {}];
    let goOn!: () => void;
    const isRevoked = new Promise<void>((resolve) => (goOn = resolve));
    const script = scriptedModel(turns);
    const model: Model = {
      info: script.info,
      async *stream(request, options) {
        if (script.requests.length === 2) await isRevoked; // the next call comes after that
        yield* script.stream(request, options);
      },
    };
    const running = run({ model, toolset, principal: ada, messages: 'Who am I?' });
    for await (const event of running.events()) {
      if (event.type === 'input-request') {
        const { url } = event.preview as { readonly url: string };
        await signIn.finish(await issuer.browse(url, 'ada'), { principal: ada });
        await vi.waitFor(() => assertThere(toolset().tool('tasks_whoami')), { timeout: 100_000 });
        running.answer(event.questionId, { output: { signedIn: true } });
      }
      if (event.type === 'tool-end' && event.name === 'tasks_whoami' && !event.result.isError) {
        for (const { accessToken, refreshToken } of tokensIn(secrets)) await revoke(accessToken, refreshToken);
        goOn();
      }
    }
    const { messages } = await running.result;
    expect(JSON.stringify(messages)).toContain('"ada"');
    expect(JSON.stringify(messages)).toContain('The user has to sign in to');
    await mount.unmount();
  });

  it('binds tokens to a key if the server wants that, also after a restart', async () => {
    const bound = await startIssuer({ dpop: true });
    const kept = new Map<string, string>();
    const served = boundServer(bound);
    const restarted = () =>
      createSignIn({ secrets: keptSecrets(kept), redirectUrl, clientName: 'Tests', fetch: served.fetch });
    try {
      const signIn = restarted();
      const { url } = await signIn.server(boundUrl, { principal: ada }).begin();
      await signIn.finish(await bound.browse(url, 'ada'), { principal: ada });
      const call = () => whoami(restarted().server(boundUrl, { principal: ada }), { fetch: served.fetch });
      expect(await call()).toEqual(text('ada'));
      await revokeAccess({ kept }, bound);
      expect(await call()).toEqual(text('ada'));
      expect(served.proofs.size).toBeGreaterThan(2);
    } finally {
      await bound.close();
    }
  });
});

interface HeldTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

function tokensIn({ kept }: { readonly kept: ReadonlyMap<string, string> }): readonly HeldTokens[] {
  return [...kept].filter(([key]) => key.includes('mcp.tokens-')).map(([, value]) => JSON.parse(value).value);
}

function secretsIn(secrets: { readonly kept: ReadonlyMap<string, string> }): readonly string[] {
  return tokensIn(secrets).flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
}

/** The access tokens are valid no more; those that renew them are. */
async function revokeAccess(
  secrets: { readonly kept: ReadonlyMap<string, string> },
  at: Pick<Issuer, 'provider'> = issuer,
): Promise<void> {
  for (const { accessToken } of tokensIn(secrets)) await (await at.provider.AccessToken.find(accessToken))?.destroy();
}

/** Nothing is valid any more. */
async function revoke(...tokens: readonly string[]): Promise<void> {
  for (const each of tokens) await (await issuer.provider.AccessToken.find(each))?.destroy();
  for (const each of tokens) await (await issuer.provider.RefreshToken.find(each))?.destroy();
}

function assertThere(value: unknown): void {
  if (value === undefined) throw new Error('not yet');
}
