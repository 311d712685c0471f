import type { FilesObserver } from '../files/taint/observer.ts';
import type { Host, HostOf, Requirements } from '../tool/capability.ts';
import type { Tool } from '../tool/tool.ts';

/** Exactly the capabilities of the host that a tool requires; tracked for the observer, if there is one. */
export function hostFor({ requires }: Tool, host: Host, observer?: FilesObserver): HostOf<Requirements> {
  if (requires === undefined) return {};
  return Object.fromEntries(
    Object.entries(requires).map(([alias, { name, seenBy }]) => {
      const value = host[name];
      return [alias, observer === undefined || seenBy === undefined ? value : seenBy(value, observer)];
    }),
  );
}
