import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const mark = '?mcp';

/**
 * Gives the client of MCP, which is loaded later, a copy of zod. It uses much more of zod than the tools of the first load, and a
 * module is in one chunk: without this, the first load would have all of it.
 */
export function separateZod(): Plugin {
  return {
    name: 'utensil-separate-zod',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      const isOfClient = importer !== undefined && /@modelcontextprotocol|data\/mcp-servers\//.test(importer);
      const isOfCopy = importer?.endsWith(mark) === true;
      if (!isOfCopy && !(isOfClient && /^zod(?:\/|$)/.test(source))) return undefined;
      const from = isOfCopy ? importer.slice(0, -mark.length) : importer;
      const found = await this.resolve(source, from, { ...options, skipSelf: true });
      return found && { id: `${found.id}${mark}`, moduleSideEffects: found.moduleSideEffects };
    },
    load: (id) => (id.endsWith(mark) ? readFile(id.slice(0, -mark.length), 'utf8') : undefined),
  };
}
