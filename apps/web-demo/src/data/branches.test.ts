import { alternativesTo, branchOf } from '@utensil/core/thread';
import type { Message } from '@utensil/core';
import { expect, it } from 'vitest';
import { branchPlaces } from './branches.ts';

const says = (id: string, parentId?: string | null): Message => ({
  id,
  role: 'user',
  parts: [],
  createdAt: 0,
  ...(parentId !== undefined && { parentId }),
});

it('gives the position of each message among its siblings', () => {
  const all = [says('a'), says('b'), says('c', 'a'), says('d'), says('e', null), says('f', 'a'), says('g', 'd')];
  for (const { id } of all) {
    const conversation = branchOf(all, id);
    const places = branchPlaces(all, conversation);
    for (const { id } of conversation) {
      const beside = alternativesTo(all, id);
      expect(places.get(id)).toEqual(
        beside.length > 1 ? { index: beside.indexOf(id), count: beside.length } : undefined,
      );
    }
  }
  expect(branchPlaces(all, branchOf(all, 'c')).get('c')).toEqual({ index: 1, count: 3 });
});
