import type { Principal } from '@utensil/core';
import { createSignIn } from '../client/sign-in/index.ts';
import type { SignIn, SignInOptions, WebFetch, WritableSecrets } from '../client/sign-in/index.ts';

// An issuer and a server that say whatever a test wants, without a network.

export const serverUrl = 'https://mcp.example/mcp';
export const issuerUrl = 'https://issuer.example';
export const redirectUrl = 'https://app.example/signed-in';

export const ada: Principal = { id: 'ada' };
export const bob: Principal = { id: 'bob' };

/** Secrets by principal, in memory. */
export function keptSecrets(): WritableSecrets & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
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

export type Answer = object | string | Response | ((init: RequestInit) => object | Response | Promise<Response>);

export const resourceMetadata = { resource: serverUrl, authorization_servers: [issuerUrl] };

export const issuerMetadata = {
  issuer: issuerUrl,
  authorization_endpoint: `${issuerUrl}/authorize`,
  token_endpoint: `${issuerUrl}/token`,
  registration_endpoint: `${issuerUrl}/register`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
};

/** Answers of an honest issuer, by address. */
export const honest: Readonly<Record<string, Answer>> = {
  'https://mcp.example/.well-known/oauth-protected-resource/mcp': resourceMetadata,
  [`${issuerUrl}/.well-known/oauth-authorization-server`]: issuerMetadata,
  [`${issuerUrl}/register`]: { client_id: 'app-1', redirect_uris: [redirectUrl] },
  [`${issuerUrl}/token`]: {
    access_token: 'access-1',
    token_type: 'Bearer',
    refresh_token: 'refresh-1',
    expires_in: 3_600,
  },
};

/** A request that was sent. */
export interface Sent {
  readonly url: string;
  readonly body: string;
}

export interface ScriptedIssuer {
  readonly fetch: WebFetch;
  readonly sent: readonly Sent[];
}

/** Answers as `answers` says, and else 404. */
function scriptedIssuer(answers: Readonly<Record<string, Answer>>): ScriptedIssuer {
  const sent: Sent[] = [];
  return {
    sent,
    async fetch(url, init = {}) {
      sent.push({ url: String(url), body: init.body === undefined || init.body === null ? '' : String(init.body) });
      const answer = answers[String(url)];
      if (answer === undefined) return new Response('Nothing here.', { status: 404 });
      const given = typeof answer === 'function' ? await answer(init) : answer;
      if (given instanceof Response) return given;
      return typeof given === 'string' ? new Response(given) : Response.json(given);
    },
  };
}

export interface ScriptedSignIn extends ScriptedIssuer {
  readonly signIn: SignIn;
  readonly secrets: ReturnType<typeof keptSecrets>;
}

/** Sign-in with a scripted issuer. `answers` override those of an honest one. */
export function scriptedSignIn(
  answers: Readonly<Record<string, Answer>> = {},
  options: Partial<SignInOptions> = {},
): ScriptedSignIn {
  const issuer = scriptedIssuer({ ...honest, ...answers });
  const secrets = keptSecrets();
  const signIn = createSignIn({ secrets, redirectUrl, clientName: 'Notes', fetch: issuer.fetch, ...options });
  return { ...issuer, signIn, secrets };
}

/** The address that a browser comes back to. */
export function cameBack(url: string, parameters: Readonly<Record<string, string>> = {}): string {
  const state = new URL(url).searchParams.get('state') ?? '';
  return `${redirectUrl}?${new URLSearchParams({ state, code: 'code-1', iss: issuerUrl, ...parameters }).toString()}`;
}
