import { UtensilError } from '@utensil/core';
import { portOf } from './ports.ts';

/** True if a list names the host of a URL. */
export type HostList = (url: URL) => boolean;

/** Host of a URL, without a trailing dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.+$/, '');
}

/** IP address in a URL, without brackets; undefined if the URL has a host name. */
export function literalOf(url: URL): string | undefined {
  const host = hostOf(url);
  if (host.startsWith('[')) return host.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host : undefined;
}

/** Names that are resolved by the local machine or network, not by public DNS. */
const localNames = /^[^.]*$|\.(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** True for a name that has a meaning only in the local network. */
export function isLocalName(host: string): boolean {
  return localNames.test(host);
}

/**
 * Parses a list of hosts: `example.com` is exactly that name, `*.example.com` is all names below it, and both may end
 * with a port.
 *
 * @throws `invalid_option`
 */
export function hostList(option: string, patterns: readonly string[]): HostList {
  const tests = patterns.map((pattern) => hostTest(option, pattern));
  return (url) => tests.some((test) => test(url));
}

function hostTest(option: string, pattern: string): HostList {
  const [, star, host = '', port] = /^(\*\.)?(\[[^\]]*\]|[^:/?#@\s[\]*\\]+)(?::(\d{1,5}))?$/.exec(pattern) ?? [];
  const parsed = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (parsed === undefined || (star !== undefined && literalOf(parsed) !== undefined))
    throw new UtensilError(
      'invalid_option',
      `${option} has ${JSON.stringify(pattern)}, which is not a host: write example.com, *.example.com or example.com:8080.`,
    );
  const wanted = hostOf(parsed);
  const isHost = star === undefined ? (name: string) => name === wanted : (name: string) => name.endsWith(`.${wanted}`);
  return (url) => isHost(hostOf(url)) && (port === undefined || portOf(url) === Number(port));
}
