import type { Files } from '../files/files.ts';
import { seenBy } from '../files/taint/observer.ts';
import { capability } from './capability.ts';
import type { Capability, Fetch, Models, Secrets } from './capability.ts';
import type { Sandbox } from './sandbox.ts';
import type { Shell } from './shell.ts';

/** Capabilities defined by core. `capability()` defines more. */
export interface HostCapabilities {
  /** HTTP requests. Offer a guarded `fetch`, such as `@utensil/guarded-fetch`, not the platform's. */
  readonly fetch: Capability<Fetch>;
  /** The files of the project. */
  readonly files: Capability<Files>;
  /** Selectable models: the choices of `model` and `modellist` options. */
  readonly models: Capability<Models>;
  /** Sandbox for untrusted JavaScript, such as a model's. */
  readonly sandbox: Capability<Sandbox>;
  /** The user's secrets, from which `secret` options are read. */
  readonly secrets: Capability<Secrets>;
  /** A shell. Commands can do whatever the host permits, so offer one only if that is intended. */
  readonly shell: Capability<Shell>;
}

/**
 * Capabilities of the host, for a tool's `requires`.
 *
 * @example
 * ```ts
 * import { defineTool, host, jsonSchema } from '@utensil/core';
 *
 * const countTool = defineTool({
 *   name: 'count_files',
 *   description: 'Counts the files of the project.',
 *   input: jsonSchema({ type: 'object' }),
 *   effects: 'read',
 *   requires: { files: host.files },
 *   execute: async (_input, _options, context) => (await context.host.files.list('/')).entries.length,
 * });
 * ```
 */
export const host: HostCapabilities = {
  fetch: /* @__PURE__ */ capability('fetch'),
  files: /* @__PURE__ */ capability('files', { seenBy }),
  models: /* @__PURE__ */ capability('models'),
  sandbox: /* @__PURE__ */ capability('sandbox'),
  secrets: /* @__PURE__ */ capability('secrets'),
  shell: /* @__PURE__ */ capability('shell'),
};
