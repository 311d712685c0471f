import { request as requestHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { hostOf, literalOf } from '../host.ts';
import type { Hop } from '../hop.ts';
import { failed } from '../refusal.ts';
import { pinnedLookup } from './resolve.ts';

export interface SendOptions {
  /** Checked addresses, the only ones to connect to. */
  readonly addresses: readonly string[];
  readonly signal: AbortSignal;
}

/** Connection-level headers, which callers may not set. */
const ofConnection: readonly string[] = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Sends one request on a new connection, without a proxy, and follows no redirect. */
export function send(hop: Hop, { addresses, signal }: SendOptions): Promise<IncomingMessage> {
  const { url, method, headers, body } = hop;
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: literalOf(url) ?? hostOf(url),
      port: url.port,
      path: url.pathname + url.search,
      method,
      headers: Object.fromEntries([...headers].filter(([name]) => !ofConnection.includes(name))),
      lookup: pinnedLookup(addresses),
      agent: false,
      signal,
    });
    outgoing.on('response', resolve);
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(failed(url, 'responded in another protocol.'));
    });
    outgoing.on('error', (error) => reject(failed(url, 'could not be reached, or sent an invalid response.', error)));
    outgoing.end(body);
  });
}
