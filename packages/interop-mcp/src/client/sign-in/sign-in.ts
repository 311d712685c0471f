import { UtensilError } from '@utensil/core';
import type { Principal } from '@utensil/core';
import { accountStore } from './account.ts';
import type { AccountChanged } from './account.ts';
import { isLoopback } from './addresses.ts';
import { begin } from './begin.ts';
import type { BegunSignIn, SignInSetup } from './begin.ts';
import { signInConnection } from './connection.ts';
import type { SignInConnection } from './connection.ts';
import type { FinishedSignIn } from './finish.ts';
import type { SignInOptions, WebFetch } from './options.ts';
import { createRecords } from './records.ts';

/** Authorization of a user. */
export interface SignedIn {
  readonly issuer: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970 at which the token was issued. */
  readonly since: number;
}

/** One server for one user. */
export interface ServerSignIn {
  readonly url: string;
  /** Options for an HTTP transport. `fetch` sends its requests. Default: the platform's. */
  connection(options?: { readonly fetch?: WebFetch }): SignInConnection;
  /** The user's authorization; undefined if nobody is signed in. */
  signedIn(): Promise<SignedIn | undefined>;
  /**
   * Begins a sign-in with the scopes requested by the server, and `scopes`. Returns the same one while it is pending.
   *
   * @throws `sign_in_failed` if the server or its issuer is not what it says, or cannot be reached.
   */
  begin(options?: { readonly scopes?: readonly string[] }): Promise<BegunSignIn>;
  /**
   * Calls the listener after the user has signed in or out in this process, or the sign-in has ended, until the
   * returned function is called.
   */
  onChange(listener: () => void): () => void;
  /** Revokes the user's authorization, here and, if it can be reached, at the issuer. */
  signOut(): Promise<void>;
}

/** Sign-in of users to MCP servers. */
export interface SignIn {
  /**
   * A server for a user. Shares nothing with other users.
   *
   * @throws `invalid_option` if the address is not https, or http on this machine.
   */
  server(url: string, options?: { readonly principal?: Principal }): ServerSignIn;
  /**
   * Finishes a sign-in with the whole address that a browser returned to. `principal`: the user signed in to the app in
   * that browser. Refused if another user began it.
   *
   * @throws `sign_in_failed`
   */
  finish(callback: string | URL, options?: { readonly principal?: Principal }): Promise<FinishedSignIn>;
}

/**
 * Creates the sign-in of users to MCP servers, by OAuth 2.1.
 *
 * @throws `invalid_option` if an address is not https, or http on this machine.
 *
 * @example
 * ```ts no-run
 * import { createSignIn } from '@utensil/interop-mcp/sign-in';
 *
 * const kept = new Map<string, string>();
 * const secrets = {
 *   get: async (key: string) => kept.get(key),
 *   set: async (key: string, value?: string) => void (value === undefined ? kept.delete(key) : kept.set(key, value)),
 * };
 * const redirectUrl = 'http://127.0.0.1:3210/signed-in';
 * const signIn = createSignIn({ secrets, redirectUrl, clientName: 'Notes' });
 * const server = signIn.server('https://mcp.example/mcp');
 * const { url } = await server.begin(); // the user opens it, and comes back to the redirect URL
 * await signIn.finish(`${redirectUrl}?code=…&state=…`);
 * const { authProvider, fetch } = server.connection(); // for the transport
 * ```
 */
export function createSignIn(options: SignInOptions): SignIn {
  const { secrets, redirectUrl, clientMetadataUrl, now = Date.now } = options;
  checkOwn('redirectUrl', redirectUrl);
  if (clientMetadataUrl !== undefined && !isDocument(clientMetadataUrl))
    throw new UtensilError(
      'invalid_option',
      `\`clientMetadataUrl\` must be https, with a path; got "${clientMetadataUrl}".`,
    );
  const listeners = new Set<AccountChanged>();
  const changed: AccountChanged = (...account) => {
    for (const each of listeners) each(...account);
  };
  const setup: SignInSetup = { options, records: createRecords(secrets), changed, now };

  return {
    server(url, { principal } = {}) {
      const address = checkOwn('url', url);
      address.hash = '';
      const account = accountStore(setup, { url: address.href, principal });
      return {
        url: address.href,
        connection: ({ fetch: given } = {}) => signInConnection(account, setup, given),
        async signedIn() {
          const tokens = await account.tokens();
          return tokens && { issuer: tokens.metadata.issuer, scopes: tokens.scopes, since: tokens.savedAt };
        },
        begin: ({ scopes = [] } = {}) => begin(account, scopes, setup),
        onChange(listener) {
          const told: AccountChanged = (url, whose) => {
            if (url === address.href && whose?.id === principal?.id) listener();
          };
          listeners.add(told);
          return () => void listeners.delete(told);
        },
        signOut: async () => (await import('./sign-out.ts')).signOut(account, setup),
      };
    },
    finish: async (callback, { principal } = {}) => (await import('./finish.ts')).finish(callback, principal, setup),
  };
}

/** An address given by the app or the user. */
function checkOwn(name: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url === undefined || !isSafe || url.username !== '' || url.password !== '')
    throw new UtensilError('invalid_option', `\`${name}\` must be https, or http on this machine, without a password.`);
  return url;
}

function isDocument(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:' && new URL(address).pathname !== '/';
}
