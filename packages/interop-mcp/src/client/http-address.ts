import { UtensilError } from '@utensil/core';
import type { McpHttpServer } from './server.ts';

/**
 * @throws `invalid_option` if the address or the headers are unusable. Messages never contain a value, which may be a
 * secret.
 */
export function checkHttpServer(server: McpHttpServer): void {
  addressOf(server);
  for (const [name, value] of Object.entries(server.headers ?? {}))
    if (!isHeader(name, value))
      throw new UtensilError(
        'invalid_option',
        'A header for an MCP server cannot be sent: its name or its value has a line break, or a character that HTTP has not.',
      );
}

/** @throws `invalid_option` if the address is unusable. */
export function addressOf({ url: given, allowHttp = false }: McpHttpServer): URL {
  const url = parse(String(given));
  const refuse = (problem: string): never => {
    throw new UtensilError('invalid_option', `The address of an MCP server at "${url.host}" ${problem}`);
  };
  if (url.username !== '' || url.password !== '') refuse('has a name or a password in it: give `headers` instead.');
  if (url.protocol === 'https:') return url;
  if (url.protocol !== 'http:') refuse('is neither https: nor http:.');
  if (!allowHttp && !isLoopback(url.hostname)) refuse('is not encrypted: use https:, or set `allowHttp`.');
  return url;
}

/** True if a person may be sent there: it is encrypted, cannot run code, and has no user name that resembles a host. */
export function isSafeAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

function parse(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new UtensilError('invalid_option', 'The address of the MCP server is invalid: it must start with https://.');
}

/** The platform's own error would contain the value. */
function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
