import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { hostOf, literalOf } from '../host.ts';
import { failed } from '../refusal.ts';

/** Resolves a name to IP addresses. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The system resolver, including the hosts file. */
export async function systemResolve(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** All addresses that a request to `url` may connect to. */
export async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const literal = literalOf(url);
  if (literal !== undefined) return [literal];
  const addresses = await resolve(hostOf(url)).catch((error: unknown) => {
    throw failed(url, 'cannot be found: the host does not exist, or there is no network.', error);
  });
  if (addresses.length === 0) throw failed(url, 'cannot be found: the host does not exist.');
  return addresses;
}

/** A socket lookup that returns only these addresses, so that the checked addresses are the ones connected to. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  const [first = { address: '', family: 0 }] = entries;
  return (_name, options, callback) => {
    if (options.all === true) callback(null, entries);
    else callback(null, first.address, first.family);
  };
}
