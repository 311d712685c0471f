import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { hostOf, literalOf } from '../host.ts';
import { failed } from '../refusal.ts';

/** Looks up the IP addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** As the machine does, its hosts file included. */
export async function systemResolve(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** All addresses that a request to `url` could go to. */
export async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const literal = literalOf(url);
  if (literal !== undefined) return [literal];
  const addresses = await resolve(hostOf(url)).catch((error: unknown) => {
    throw failed(url, 'cannot be found: there is no such host, or no network.', error);
  });
  if (addresses.length === 0) throw failed(url, 'cannot be found: there is no such host.');
  return addresses;
}

/** A look-up for sockets that knows these addresses alone: what was checked is what is connected to. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 0 }] = entries;
  return (_name, options, callback) => {
    if (options.all === true) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}
