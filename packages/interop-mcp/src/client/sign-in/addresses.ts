import { signInFailed } from './failures.ts';

/** True if a host is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** IPv4 networks outside of the public internet, as first address and prefix length. */
const privateNetworks: readonly (readonly [first: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** True if a host of a parsed URL is a literal private address, or a name used only in private networks. */
function isPrivate(named: string): boolean {
  const hostname = named.replace(/\.+$/, ''); // a trailing dot is equivalent
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) {
    const value = numberOf(hostname);
    return privateNetworks.some(([first, bits]) => Math.floor((value - numberOf(first)) / 2 ** (32 - bits)) === 0);
  }
  if (hostname.startsWith('[')) return !/^\[[23][0-9a-f]{3}:/.test(hostname); // 2000::/3 is public
  return !hostname.includes('.') || /\.(?:local|localhost|internal|lan|home\.arpa)$/.test(hostname);
}

/**
 * Validates an address named by a server or an issuer, before it is fetched or shown: https, without a password, not in
 * a private network. A server on this machine may name others on it, also over http.
 *
 * @throws `sign_in_failed`
 */
export function checkAddress(address: string | URL, { of, serverUrl }: { of: string; serverUrl: string }): URL {
  if (!URL.canParse(String(address))) throw signInFailed(`${of} is not a valid address.`);
  const url = new URL(String(address));
  const { protocol, hostname, username, password } = url;
  const server = new URL(serverUrl);
  const isLocal = isLoopback(hostname) && isLoopback(server.hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal))
    throw signInFailed(`${of} must be https; got ${protocol.slice(0, 20)} Sign-in has been stopped.`);
  if (username !== '' || password !== '') throw signInFailed(`${of} has a password in it. Sign-in has been stopped.`);
  if (isPrivate(hostname) && !isLocal && hostname !== server.hostname)
    throw signInFailed(`${of} is in a private network, and the server is not. Sign-in has been stopped.`);
  return url;
}
