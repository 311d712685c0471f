import type { Account, AccountStore, Tokens } from './account.ts';
import type { SignInSetup } from './begin.ts';
import { dpopSession } from './dpop.ts';
import type { DpopSession } from './dpop.ts';
import { signInFailed, signInNeeded } from './failures.ts';
import type { WebFetch } from './options.ts';
import { refresh } from './refresh.ts';
import { hasScopes, joinScopes, scopesOf } from './scopes.ts';
import { loadSdk } from './sdk.ts';

/** Authentication of an MCP client over HTTP: options for its transport. */
export interface SignInConnection {
  readonly authProvider: {
    /** Token of the next request; undefined if nobody is signed in. */
    token(): Promise<string | undefined>;
    /** Renews a refused token. Throws `sign_in_needed` if the user must sign in. */
    onUnauthorized(context: { readonly response: Response }): Promise<void>;
  };
  /** Signs requests with tokens bound to a key. Throws `sign_in_needed` if the server requests more scopes. */
  readonly fetch: WebFetch;
}

/** Token and proof of a request. */
interface Proof {
  readonly token: string;
  readonly key: DpopSession;
}

/** A refused request. */
interface Refused {
  readonly url: string | URL;
  readonly init: RequestInit;
  readonly token: string | undefined;
}

/** Milliseconds before its expiry at which a token is renewed. */
const earlyMs = 30_000;

/** Milliseconds in which a token counts as new: a refused token was then the previous one. */
const newMs = 10_000;

export function signInConnection(account: AccountStore, setup: SignInSetup, given: WebFetch = fetch): SignInConnection {
  const server = new URL(account.url);
  const sent = new WeakMap<Response, string>();
  let session: { readonly thumbprint: string; readonly opened: Promise<DpopSession> } | undefined;

  async function current(): Promise<Tokens | undefined> {
    const tokens = await account.tokens();
    const { expiresAt = Infinity, refreshToken, accessToken } = tokens ?? {};
    if (accessToken === undefined || refreshToken === undefined || expiresAt - earlyMs > setup.now()) return tokens;
    return refresh(account, accessToken, setup);
  }

  /** Stores the server's challenge. */
  async function note(response: Response, more: readonly string[]): Promise<void> {
    const { resourceMetadataUrl } = (await loadSdk()).extractWWWAuthenticateParams(response);
    const isOurs = resourceMetadataUrl?.origin === new URL(account.url).origin; // another server's is unrelated
    const needsDpop = /^dpop\b/i.test(response.headers.get('www-authenticate') ?? '');
    await account.exclusively(async () => {
      const known = await account.read();
      const wanted = joinScopes(known.wanted ?? [], more);
      const next: Account = {
        ...known,
        ...(isOurs && { resourceMetadataUrl: resourceMetadataUrl.href }),
        ...(wanted.length > 0 && { wanted }),
        ...(needsDpop && { needsDpop }),
      };
      if (JSON.stringify(next) !== JSON.stringify(known)) await account.write(next);
    });
  }

  async function challenged(response: Response): Promise<{ error: string | undefined; scopes: readonly string[] }> {
    const { error, scope } = (await loadSdk()).extractWWWAuthenticateParams(response);
    return { error, scopes: scopesOf(scope) };
  }

  async function sessionOf({ dpopKey }: Tokens): Promise<DpopSession | undefined> {
    if (dpopKey === undefined) return undefined;
    const { thumbprint } = dpopKey;
    if (session?.thumbprint !== thumbprint)
      session = { thumbprint, opened: loadSdk().then((sdk) => dpopSession(sdk, dpopKey)) };
    return session.opened;
  }

  /** Sends a request with a proof; repeats it if the server provides a nonce. */
  async function proven(url: string | URL, init: RequestInit, { token, key }: Proof): Promise<Response> {
    const send = async (): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `DPoP ${token}`);
      headers.set('dpop', await key.buildProof({ htm: init.method ?? 'GET', htu: url, accessToken: token }));
      const response = await given(url, { ...init, headers });
      key.observeNonce(response, url);
      return response;
    };
    const response = await send();
    if (!(await loadSdk()).isDpopNonceChallenge(response)) return response;
    await response.body?.cancel();
    return send();
  }

  async function stepUp(response: Response): Promise<void> {
    const { error, scopes } = await challenged(response);
    if (error !== 'insufficient_scope') return;
    await response.body?.cancel();
    const held = (await account.tokens())?.scopes ?? [];
    if (scopes.length > 0 && hasScopes(held, scopes))
      throw signInFailed('The server refuses what it asked for: the user has allowed it already.');
    await note(response, scopes);
    throw signInNeeded(account.url, scopes);
  }

  async function send(url: string | URL, init: RequestInit, token: string | undefined): Promise<Response> {
    if (token === undefined) return given(url, init);
    const tokens = await account.tokens();
    const key = tokens?.accessToken === token ? await sessionOf(tokens) : undefined;
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await (key === undefined ? given(url, { ...init, headers }) : proven(url, init, { token, key }));
    sent.set(response, token);
    return response;
  }

  /**
   * Repeats a refused request with the current token, if that differs: someone else has renewed it, or the user has
   * just signed in. A client tries a renewed token only once, so the sign-in fails only if that token itself was
   * refused.
   */
  async function again(refused: Response, { url, init, token }: Refused): Promise<Response> {
    const present = (await account.tokens())?.accessToken;
    if (present === undefined || present === token) return refused;
    await refused.body?.cancel();
    return send(url, init, present);
  }

  return {
    authProvider: {
      token: async () => (await current())?.accessToken,
      async onUnauthorized({ response }) {
        await note(response, (await challenged(response)).scopes);
        const used = sent.get(response);
        const tokens = await account.tokens();
        if (tokens === undefined) throw signInNeeded(account.url);
        const isOther = used === undefined ? setup.now() - tokens.savedAt < newMs : tokens.accessToken !== used;
        if (!isOther) await refresh(account, tokens.accessToken, setup);
      },
    },
    async fetch(url, init = {}) {
      const to = new URL(url);
      if (to.origin !== server.origin) return given(url, init);
      const token = new Headers(init.headers).get('authorization')?.replace(/^Bearer /, '');
      const first = await send(url, init, token);
      const isOurs = token !== undefined || `${to.origin}${to.pathname}` === `${server.origin}${server.pathname}`;
      const response = first.status === 401 && isOurs ? await again(first, { url, init, token }) : first;
      if (response.status === 403 && sent.has(response)) await stepUp(response);
      return response;
    },
  };
}
