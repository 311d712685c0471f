import { isPublicAddress } from './address.ts';
import { hostList, hostOf, isLocalName, literalOf } from './host.ts';
import type { HostList } from './host.ts';
import type { GuardOptions } from './options.ts';
import { isOpenPort, portOf } from './ports.ts';
import { blocked, shownHost } from './refusal.ts';

/** Where requests may go. */
export interface Rules {
  /** Throws `fetch_blocked` where an address alone says that nobody may go there. */
  check(url: URL): void;
  /** Throws `fetch_blocked` where one of the addresses that a name stands for is not public. */
  checkAddresses(url: URL, addresses: readonly string[]): void;
}

/** The address in a text; only whole ones, so none means something else elsewhere. */
export function parseUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw blocked('this is no web address. Write it in full, such as https://example.com/page.');
}

/** The rules that options ask for. */
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
        throw blocked(`only http and https addresses are, not ${url.protocol.slice(0, 20)}`);
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

/** Says nothing of the address that a name stands for. */
function notPublic(url: URL): Error {
  return blocked(`${shownHost(url)} is not on the public internet. Only the app can allow it.`);
}
