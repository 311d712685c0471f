import { UtensilError } from '@utensil/core';
import { portOf } from './ports.ts';

/** Whether a list of hosts names the host of an address. */
export type HostList = (url: URL) => boolean;

/** The host of an address, without the dot that a name may end with. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.+$/, '');
}

/** The IP address that an address names, without brackets; undefined where it has a name. */
export function literalOf(url: URL): string | undefined {
  const host = hostOf(url);
  if (host.startsWith('[')) return host.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? host : undefined;
}

/** Names that are looked up in the machine or network one is in, not in the internet. */
const localNames = /^[^.]*$|\.(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** Whether a name has a meaning only where one is. */
export function isLocalName(host: string): boolean {
  return localNames.test(host);
}

/**
 * Reads a list of hosts: `example.com` is that name alone, `*.example.com` all below it, and both may end with a port.
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
      `${option} has ${JSON.stringify(pattern)}, which is no host: write example.com, *.example.com or example.com:8080.`,
    );
  const wanted = hostOf(parsed);
  const isHost = star === undefined ? (name: string) => name === wanted : (name: string) => name.endsWith(`.${wanted}`);
  return (url) => isHost(hostOf(url)) && (port === undefined || portOf(url) === Number(port));
}
