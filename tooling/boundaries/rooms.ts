// Rooms of a package, as data: folders of its sources, in order. A file may import from its own room and from earlier
// ones.

import { posix } from 'node:path';
import type { Import } from './imports.ts';
import type { Verdict } from './rules.ts';
import type { Source } from './sources.ts';

/** The rooms of one package. */
interface Rooms {
  /** From the bottom up. Rooms on one line must not import each other. */
  readonly order: readonly (readonly string[])[];
  /** Folders inside a room that import nothing else from it. */
  readonly closed: readonly string[];
}

const rooms: Readonly<Record<string, Rooms>> = {
  'packages/core': {
    order: [
      ['base'],
      ['schema'],
      ['model'],
      ['files'],
      ['records'],
      ['thread'],
      ['tool'],
      ['rules'],
      ['settings', 'file-commands'],
      ['call'],
      ['toolset'],
      ['run'],
      ['testing'],
      ['test-kit'],
    ],
    closed: ['run/loop'],
  },
  'packages/text-dialects': {
    order: [['text'], ['dialects'], ['read'], ['write'], ['scan'], ['model'], ['test-kit']],
    closed: [],
  },
};

/** Checks the location of a file: only the entry point may be outside of rooms. */
export function judgePlace({ path, member }: Source): Verdict {
  const plan = rooms[member.folder];
  const inside = withinSources(member.folder, path);
  if (plan === undefined || inside === 'index.ts') return undefined;
  const room = inside.split('/')[0] ?? '';
  if (inside.includes('/') && levelOf(plan, room) >= 0) return undefined;
  return ['room', `${inside} is in no room of ${member.folder}: these are ${plan.order.flat().join(', ')}`];
}

/** Checks an import inside a package. Tests and the entry point may import from everywhere. */
export function judgeRoom({ specifier }: Import, { path, isTest, member }: Source): Verdict {
  const plan = rooms[member.folder];
  const from = withinSources(member.folder, path);
  if (plan === undefined || isTest || from === 'index.ts' || !specifier.startsWith('.')) return undefined;
  const to = posix.join(posix.dirname(from), specifier);
  const [here = '', there = ''] = [from.split('/')[0], to.split('/')[0]];
  const closed = plan.closed.find((folder) => from.startsWith(`${folder}/`) && !to.startsWith(`${folder}/`));
  if (closed !== undefined && here === there)
    return ['room', `${closed} imports nothing else of ${here}: ${specifier}`];
  const level = levelOf(plan, there);
  if (here === there || (level >= 0 && level < levelOf(plan, here))) return undefined;
  return ['room', `${here} does not know ${there}: move what both need down to ${here} or below`];
}

function withinSources(folder: string, path: string): string {
  return path.slice(`${folder}/src/`.length);
}

function levelOf({ order }: Rooms, room: string): number {
  return order.findIndex((level) => level.includes(room));
}
