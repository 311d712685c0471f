import { UtensilError } from '@utensil/core';
import type { McpServerOptions } from './options.ts';

/** Description of a server for clients before they connect (SEP-2127). */
export interface McpServerCard {
  /** Unique name: a reversed domain and a name, such as `com.example/notes`. */
  readonly name: string;
  /** One sentence for people. */
  readonly description: string;
  /** Address of the server as known to clients. */
  readonly url: string;
}

/** Path of the card below the server's. The extension has changed it before. */
export const cardPath = '/server-card';

const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const validName = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/**
 * Responds to requests for the card of a server; undefined for other requests. Contains no tools.
 *
 * @throws `invalid_option` if the name or the address cannot be used.
 */
export function createCard(
  card: McpServerCard,
  { version, title, auth }: Pick<McpServerOptions, 'version' | 'title'> & { readonly auth?: object },
): (request: Request) => Response | undefined {
  const { name, description, url } = card;
  if (!validName.test(name) || name.length > 200)
    throw new UtensilError('invalid_option', `\`card.name\` must be like com.example/notes; got "${name}".`);
  if (!URL.canParse(url))
    throw new UtensilError('invalid_option', `\`card.url\` must be the server's address; got "${url}".`);
  const path = `${new URL(url).pathname.replace(/\/$/, '')}${cardPath}`;
  const remote = {
    type: 'streamable-http',
    url,
    ...(auth && { headers: [{ name: 'Authorization', isRequired: true, isSecret: true }] }),
  };
  const body = {
    $schema: schema,
    name,
    version,
    description,
    ...(title !== undefined && { title }),
    remotes: [remote],
  };
  return ({ url: asked, method }) => {
    if (new URL(asked).pathname !== path) return undefined;
    if (method !== 'GET') return new Response(null, { status: 405, headers: { Allow: 'GET' } });
    return Response.json(body, { headers: { 'Cache-Control': 'public, max-age=3600' } });
  };
}
