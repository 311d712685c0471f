import { hmacSeals } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { createCallSeals } from './call-seals.ts';

describe('a call that waits for an answer', () => {
  const seals = createCallSeals(hmacSeals(new Uint8Array(32)));
  const call = { tool: 'pay', input: { amount: 1 }, requests: {}, state: null, expiresAt: 1 };
  const tool = { name: 'pay', description: 'Pays.' };
  const owner = { callId: 'c1', from: { server: 'https://a.example/mcp', tool } };

  it('is resumed for its server and tool', async () => {
    expect(await seals.open(await seals.seal(call, owner), owner)).toEqual(call);
  });

  it.each([
    ['another server of the same name', { ...owner, from: { server: 'https://b.example/mcp', tool } }],
    ['another version of its tool', { ...owner, from: { ...owner.from, tool: { ...tool, description: 'Asks.' } } }],
    ['another call', { ...owner, callId: 'c2' }],
    ['another user', { ...owner, principal: { id: 'eve' } }],
  ])('is not resumed for %s', async (_, other) => {
    const sealed = await seals.seal(call, owner);
    await expect(seals.open(sealed, other)).rejects.toThrow('cannot be resumed');
  });
});
