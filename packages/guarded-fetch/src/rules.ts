import { isPublicAddress } from './address.ts';
import { hostList, hostOf, isLocalName, literalOf } from './host.ts';
import type { HostList } from './host.ts';
import type { GuardOptions } from './options.ts';
import { isOpenPort, portOf } from './ports.ts';
import { blocked, shownHost } from './refusal.ts';

/** Rules for request targets. */
export interface Rules {
  /** Throws `fetch_blocked` if the URL itself is blocked. */
  check(url: URL): void;
  /** Throws `fetch_blocked` if one of the addresses of a name is not public. */
  checkAddresses(url: URL, addresses: readonly string[]): void;
}

/** Parses an absolute URL. Relative ones are rejected, because their meaning depends on the page. */
export function parseUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw blocked('this is not a web address. Write it in full, for example https://example.com/page.');
}

/** Creates the rules from options. */
export function createRules(options: GuardOptions): Rules {
  const { allowHosts, denyHosts = [], allowPrivate = [], ports } = options;
  const isAllowed: HostList = allowHosts === undefined ? () => true : hostList('allowHosts', allowHosts);
  const isDenied = hostList('denyHosts', denyHosts);
  const isPrivateAllowed = hostList('allowPrivate', allowPrivate);

  function checkHost(url: URL): void {
    if (isDenied(url) || !isAllowed(url)) throw blocked(`this app does not allow ${shownHost(url)}.`);
    if (isPrivateAllowed(url)) return;
    const literal = literalOf(url);
    if (literal === undefined ? isLocalName(hostOf(url)) : !isPublicAddress(literal)) throw notPublic(url);
  }

  return {
    check(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        throw blocked(`only http and https addresses are allowed, not ${url.protocol.slice(0, 20)}`);
      if (url.username !== '' || url.password !== '')
        throw blocked(`the address has a user or password in front of ${shownHost(url)}. Leave it out.`);
      checkHost(url);
      if (!isOpenPort(portOf(url), ports))
        throw blocked(`port ${portOf(url)} of ${shownHost(url)} is not for the web.`);
    },
    checkAddresses(url, addresses) {
      if (!isPrivateAllowed(url) && !addresses.every(isPublicAddress)) throw notPublic(url);
    },
  };
}

/** Does not reveal the address of a name. */
function notPublic(url: URL): Error {
  return blocked(`${shownHost(url)} is not on the public internet. Only the app can allow it.`);
}
