import { UtensilError } from '@utensil/core';
import type { McpServerOptions } from './options.ts';

/** What a client is told of a server before it connects (SEP-2127). */
export interface McpServerCard {
  /** Unique name: a domain in reverse and a name, such as `com.example/notes`. */
  readonly name: string;
  /** One sentence for people. */
  readonly description: string;
  /** Address of the server, as its clients know it. */
  readonly url: string;
}

/** Where the card is, behind the path of the server. The extension has moved it before. */
export const cardPath = '/server-card';

const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const validName = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

/**
 * Answers requests for the card of a server; undefined if a request is for something else. No tools are in it.
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
