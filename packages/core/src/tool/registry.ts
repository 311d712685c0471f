import { UtensilError } from '../base/errors.ts';
import { createListeners } from '../base/listeners.ts';
import { checkNamespace, createMount } from './mount.ts';
import type { Mount, MountOptions, ToolSource } from './source.ts';
import type { Tool } from './tool.ts';

/** Filter for a list of tools. */
export interface ToolFilter {
  readonly category?: string;
  readonly tag?: string;
  /** `false` leaves out tools without a settings page. */
  readonly internal?: boolean;
}

/** The observable set of tools known to an app. */
export interface Registry {
  /**
   * Adds a tool at the end; with `override`, it replaces a tool of the same name in its place. Throws `tool_exists`,
   * `invalid_tool`.
   */
  register(tool: Tool, options?: { readonly override?: boolean }): void;
  /** Removes a registered tool; settings and threads keep their data about it. Returns whether it existed. */
  unregister(name: string): boolean;
  /**
   * Adds the tools of a source until it is unmounted, after registered tools, sorted by name. A registered tool hides a
   * mounted one of the same name, whichever came first. Throws `invalid_option`, and `tool_exists` if the namespace is
   * taken.
   */
  mount(source: ToolSource, options: MountOptions): Mount;
  get(name: string): Tool | undefined;
  has(name: string): boolean;
  /** A new list, in order of registration. */
  list(filter?: ToolFilter): readonly Tool[];
  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** All tools in order of registration: the same array until something changes. */
  snapshot(): readonly Tool[];
}

const validName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/**
 * A list of tools, typed as possibly empty: TypeScript then infers a tuple and does not compare all tools for a common
 * type.
 */
type Listed = readonly [] | readonly Tool[];

/**
 * A registry of tools.
 *
 * @example
 * ```ts
 * import { createRegistry, defineTool, jsonSchema } from '@utensil/core';
 *
 * const clock = defineTool({
 *   name: 'clock',
 *   description: 'Tells the time.',
 *   input: jsonSchema({ type: 'object' }),
 *   effects: 'read',
 *   execute: (_input, _options, { now }) => new Date(now()).toISOString(),
 * });
 * const registry = createRegistry([clock]);
 * ```
 */
export function createRegistry(tools: Listed = []): Registry {
  const byName = new Map<string, Tool>();
  const mounted = new Map<string, readonly Tool[]>(); // keyed by namespace
  const { notify, subscribe } = createListeners();
  let guests: readonly Tool[] = []; // all mounted tools, independent of mount order
  let snapshot: readonly Tool[] = [];

  function changed(): void {
    const visible = guests.filter(({ name }) => !byName.has(name));
    snapshot = Object.freeze([...byName.values(), ...visible]);
    notify();
  }

  function add(tool: Tool, override: boolean): void {
    if (!validName.test(tool.name)) {
      throw new UtensilError(
        'invalid_tool',
        `Tool name "${tool.name}" is not valid: use 1 to 64 letters, digits, _ or -, beginning with a letter or _.`,
      );
    }
    if (byName.has(tool.name) && !override) {
      throw new UtensilError(
        'tool_exists',
        `Tool "${tool.name}" is already registered. Use override: true to replace it.`,
      );
    }
    byName.set(tool.name, tool);
  }

  function get(name: string): Tool | undefined {
    return byName.get(name) ?? guests.find((tool) => tool.name === name);
  }

  for (const tool of tools) add(tool, false);
  changed();

  return {
    register(tool, { override = false } = {}) {
      add(tool, override);
      changed();
    },
    unregister(name) {
      const removed = byName.delete(name);
      if (removed) changed();
      return removed;
    },
    mount(source, options) {
      const { namespace } = options;
      checkNamespace(namespace);
      if (mounted.has(namespace))
        throw new UtensilError('tool_exists', `Namespace "${namespace}" is mounted already. Unmount it first.`);
      mounted.set(namespace, []);
      return createMount(source, options, (tools) => {
        if (tools === undefined) mounted.delete(namespace);
        else mounted.set(namespace, tools);
        guests = [...mounted.values()].flat().toSorted((a, b) => (a.name < b.name ? -1 : 1));
        changed();
      });
    },
    get,
    has: (name) => get(name) !== undefined,
    list: (filter = {}) => snapshot.filter((tool) => matches(tool, filter)),
    subscribe,
    snapshot: () => snapshot,
  };
}

function matches(tool: Tool, { category, tag, internal }: ToolFilter): boolean {
  if (category !== undefined && tool.ui?.category !== category) return false;
  if (tag !== undefined && !tool.tags?.includes(tag)) return false;
  return internal === undefined || (tool.internal ?? false) === internal;
}
