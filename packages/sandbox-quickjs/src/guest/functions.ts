import type { Kit } from './kit.ts';

/** Defines the functions of the host by their names: `tools.search` is a member of the global `tools`. */
export function guestFunctions(kit: Kit): void {
  for (const name of kit.functions) {
    const names = name.split('.');
    const last = names.pop() ?? name;
    const call = (input: unknown): Promise<unknown> => kit.call(name, input);
    let owner: Record<string, unknown> | undefined;
    for (const each of names) {
      const known = owner === undefined ? (globalThis as Record<string, unknown>)[each] : owner[each];
      const next = (typeof known === 'object' && known !== null ? known : {}) as Record<string, unknown>;
      if (owner === undefined) kit.define(each, next);
      else owner[each] = next;
      owner = next;
    }
    if (owner === undefined) kit.define(last, call);
    else owner[last] = call;
  }
}
