import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UtensilError } from '@utensil/core';
import { createSignIn } from '@utensil/interop-mcp/sign-in';
import type { ServerSignIn, WritableSecrets } from '@utensil/interop-mcp/sign-in';

/** A sign-in that waits for the browser. */
export interface BegunInBrowser {
  /** The page to open. */
  readonly url: string;
  readonly issuer: string;
  /** Settles when the browser has come back. Rejects with `sign_in_failed`, or with the reason of the signal. */
  finished(signal: AbortSignal): Promise<void>;
}

/** Sign-in to servers by the browser of this machine. Tokens are in memory alone, and go with the program. */
export interface LoopbackSignIn {
  server(url: string): ServerSignIn;
  begin(account: ServerSignIn): Promise<BegunInBrowser>;
}

const path = '/signed-in';

/** The port is chosen at the start, as issuers are told the whole address; it is open only while a sign-in waits. */
export async function createLoopbackSignIn(): Promise<LoopbackSignIn> {
  const port = await freePort();
  const redirectUrl = `http://127.0.0.1:${port}${path}`;
  const signIn = createSignIn({ secrets: secretsInMemory(), redirectUrl, clientName: 'Utensil demo' });
  return {
    server: (url) => signIn.server(url),
    async begin(account) {
      const { url, issuer } = await account.begin();
      return {
        url,
        issuer,
        finished: (signal) =>
          comeBack(port, {
            signal,
            state: new URL(url).searchParams.get('state'),
            finish: async (address) => void (await signIn.finish(address)),
          }),
      };
    },
  };
}

interface ComingBack {
  readonly signal: AbortSignal;
  /** Known only to the issuer and the user's browser. */
  readonly state: string | null;
  finish(address: string): Promise<void>;
}

/** Listens until a browser returns with the issuer's answer. Any page may guess the port, so requests without the state are ignored. */
async function comeBack(port: number, { signal, state, finish }: ComingBack): Promise<void> {
  signal.throwIfAborted();
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      server.once('error', (cause) => reject(portTaken(port, cause)));
      server.on('request', ({ method, url = '' }, response) => {
        const address = `http://127.0.0.1:${port}${url}`;
        const isOurs = method === 'GET' && url.startsWith(`${path}?`) && stateIn(address) === state;
        if (!isOurs) return void response.writeHead(404).end();
        finish(address).then(
          () => (
            response.writeHead(200, headers).end(page('You are signed in.', 'You can close this page.')),
            resolve()
          ),
          (error: Error) => (
            response.writeHead(400, headers).end(page('The sign-in failed.', 'The terminal says why.')),
            reject(error)
          ),
        );
      });
      server.listen(port, '127.0.0.1');
    });
  } finally {
    server.close();
    setTimeout(() => server.closeAllConnections(), 1_000).unref(); // the page is on its way
  }
}

function stateIn(address: string): string | null {
  return new URL(address).searchParams.get('state');
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`;
}

function portTaken(port: number, cause: Error): UtensilError {
  return new UtensilError(
    'sign_in_failed',
    `Port ${port} of this machine, at which the browser is to come back, is in use. Start the demo again.`,
    { cause },
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function secretsInMemory(): WritableSecrets {
  const kept = new Map<string, string>();
  return {
    get: async (key) => kept.get(key),
    async set(key, value) {
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
    },
  };
}
