import { UtensilError } from '@utensil/core';

/** A directory for a server to work in. */
export interface McpRoot {
  /** A `file:` address. */
  readonly uri: string;
  readonly name?: string;
}

/** Current roots of a project. */
export type McpRoots = readonly McpRoot[] | (() => readonly McpRoot[] | Promise<readonly McpRoot[]>);

/** @throws `invalid_option` if one is not a `file:` address. */
export async function rootsOf(given: McpRoots): Promise<readonly McpRoot[]> {
  const roots = typeof given === 'function' ? await given() : given;
  return roots.map(({ uri, name }) => {
    if (!URL.canParse(uri) || new URL(uri).protocol !== 'file:')
      throw new UtensilError('invalid_option', `A root for MCP servers must be a file: address; got "${uri}".`);
    return { uri, ...(name !== undefined && { name }) };
  });
}
