import { UtensilError } from '../base/errors.ts';
import { anyOf } from './matcher.ts';
import type { Match, Matcher, Strictness } from './matcher.ts';

/** Parts that URL parsers disagree on: backslashes, whitespace, invisible characters, credentials. */
const ambiguous = /[\\\s\p{Cc}\p{Cf}]|^[^/?#:]*:[^/?#]*@|^[^/?#]*:\/+[^/?#]*@/u;

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Matches URLs by host, in the form of the platform's parser: ASCII, lowercase, without a trailing dot. If the pattern
 * has no port, an `allow` matches the default port only, a `deny` or an `ask` any port.
 *
 * @throws `invalid_input` if the pattern is not a host.
 */
export function hostMatcher(pattern: string, { isStrict }: Strictness): Matcher {
  const { isBelow, name, port } = readPattern(pattern);

  function matchUrl(url: URL | undefined): Match {
    if (url === undefined || !(url.protocol in defaultPorts)) return 'unknown';
    const host = url.hostname.replace(/\.$/, '');
    const isNamed = name === '*' || (isBelow ? host.endsWith(`.${name}`) : host === name);
    return isNamed && isPort(url) ? 'yes' : 'no';
  }

  function isPort(url: URL): boolean {
    if (port === '*') return true;
    if (port === undefined) return !isStrict || url.port === '';
    return (url.port || defaultPorts[url.protocol]) === port;
  }

  return (value) => {
    const url = parsed(value);
    if (url !== undefined && !ambiguous.test(value)) return matchUrl(url);
    if (isStrict) return 'unknown';
    const readings = [url, parsed(`https://${value}`), parsed(value.replaceAll('\\', '@'))].map(matchUrl);
    return anyOf([...readings, 'unknown']);
  };
}

interface HostPattern {
  readonly isBelow: boolean;
  readonly name: string;
  readonly port: string | undefined;
}

function readPattern(pattern: string): HostPattern {
  const [, below, host = '', port] = /^(\*\.)?(.*?)(?::(\d+|\*))?$/.exec(pattern.trim()) ?? [];
  if (host === '*' && below === undefined) return { isBelow: false, name: '*', port };
  const url = /[/?#@\\*]/.test(host) ? undefined : parsed(`https://${host}`);
  if (url === undefined || host === '')
    throw new UtensilError('invalid_input', `'${pattern}' is not a host: write example.com, *.example.com or *.`);
  return { isBelow: below !== undefined, name: url.hostname.replace(/\.$/, ''), port };
}

function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}
