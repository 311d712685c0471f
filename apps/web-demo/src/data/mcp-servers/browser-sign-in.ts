import { isObject, messageOf } from '@utensil/core';
import { createSignIn } from '@utensil/interop-mcp/sign-in';
import type { ServerSignIn, WritableSecrets } from '@utensil/interop-mcp/sign-in';
import { mcpServerTexts } from '../../texts/mcp-server-texts.ts';
import { isLoopbackHost } from '../private-host.ts';
import type { Vault } from '../vault.ts';
import { signInChannel } from './sign-in-channel.ts';
import type { CameBack, SignInOutcome } from './sign-in-channel.ts';

/** Sign-in to servers in this browser: the issuer's page is another tab, which comes back to a page of this app. */
export interface BrowserSignIn {
  server(url: string): ServerSignIn;
  /** The page to open, in a tab of its own. */
  begin(account: ServerSignIn): Promise<{ readonly url: string; readonly issuer: string }>;
}

/** Undefined if no issuer could send the browser back: this page is neither of https nor of this machine. */
export function browserSignIn(vault: Vault): BrowserSignIn | undefined {
  if (location.protocol !== 'https:' && !isLoopbackHost(location.hostname)) return undefined;
  const redirectUrl = new URL('signed-in.html', document.baseURI).href;
  const signIn = createSignIn({ secrets: secretsIn(vault), redirectUrl, clientName: document.title });
  /** Sign-ins of this tab by state, with their outcome once somebody has come back. */
  const begun = new Map<string, Promise<string> | undefined>();
  const channel = new BroadcastChannel(signInChannel);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isCameBack(data) && begun.has(data.state)) void answer(data);
  });

  /** Finishes a sign-in once. Repeats the outcome on each request, since a page may not have been listening. */
  async function answer({ state, address }: CameBack): Promise<void> {
    const outcome = begun.get(state) ?? finish(address);
    begun.set(state, outcome);
    channel.postMessage({ finished: state, text: await outcome } satisfies SignInOutcome);
  }

  async function finish(address: string): Promise<string> {
    return signIn.finish(address).then(
      () => mcpServerTexts().finished,
      (error: unknown) => mcpServerTexts().notFinished(messageOf(error)),
    );
  }

  return {
    server: (url) => signIn.server(url),
    async begin(account) {
      const { url, issuer } = await account.begin();
      const state = new URL(url).searchParams.get('state');
      if (state !== null && !begun.has(state)) begun.set(state, undefined);
      return { url, issuer };
    },
  };
}

/** Tokens are sealed as keys are, and locked with them. */
function secretsIn(vault: Vault): WritableSecrets {
  return {
    get: (key) => vault.get(key),
    set: (key, value) => (value === undefined ? vault.remove(key) : vault.set(key, value)),
    exclusively: async (key, work) => (await navigator.locks.request(`utensil-sign-in ${key}`, work)) as never,
  };
}

function isCameBack(data: unknown): data is CameBack {
  return isObject(data) && typeof data['state'] === 'string' && typeof data['address'] === 'string';
}
