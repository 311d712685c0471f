import type { Files } from '../files/files.ts';
import { seenBy } from '../files/taint/observer.ts';
import { capability } from './capability.ts';
import type { Capability, Fetch, Models, Secrets } from './capability.ts';
import type { Sandbox } from './sandbox.ts';
import type { Shell } from './shell.ts';

/** The capabilities that core defines. `capability()` makes more. */
export interface HostCapabilities {
  /** The web. An app should offer a guarded `fetch`, such as `@utensil/guarded-fetch`, and not the platform's. */
  readonly fetch: Capability<Fetch>;
  /** The files of the project. */
  readonly files: Capability<Files>;
  /** The models to choose from: values of options of the kinds `model` and `modellist`. */
  readonly models: Capability<Models>;
  /** A sandbox for untrusted JavaScript, such as a model's. */
  readonly sandbox: Capability<Sandbox>;
  /** The user's secrets, from which options of the kind `secret` are read. */
  readonly secrets: Capability<Secrets>;
  /** A shell. Commands can do whatever the host lets them, so offer one only if that is intended. */
  readonly shell: Capability<Shell>;
}

/**
 * Capabilities of the host, for the `requires` of a tool.
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
