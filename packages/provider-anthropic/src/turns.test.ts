import type { Message, ModelRequest, Part } from '@utensil/core';
import { wireName } from '@utensil/core/provider';
import { refuseAnthropicMessages } from '@utensil/tooling-loopback/validators';
import { describe, expect, it } from 'vitest';
import { toRequest } from './request.ts';

const modelId = 'claude-sonnet-5-5';
const user = (text: string): Message => ({ id: text, role: 'user', parts: [{ type: 'text', text }], createdAt: 0 });
const call = (callId: string): Part => ({ type: 'tool-call', callId, name: 'read', input: {}, executedBy: 'us' });
const assistant = (content: readonly object[], parts: readonly Part[] = []): Message => ({
  id: 'a',
  role: 'assistant',
  parts,
  createdAt: 0,
  origin: { api: 'anthropic-messages', model: modelId, state: { content: content as never } },
});
const results = (...callIds: readonly string[]): Message => ({
  id: 'r',
  role: 'tool',
  parts: callIds.map((callId): Part => {
    const modelParts = [{ type: 'text', text: 'Done.' }] as const;
    return { type: 'tool-result', callId, name: 'read', output: '', modelParts, isError: false };
  }),
  createdAt: 0,
});
const bodyOf = (messages: readonly Message[], more: Partial<ModelRequest> = {}, cache = true) => {
  const body = toRequest({ system: 'Be brief.', messages, tools: [], toolChoice: 'auto', ...more }, { modelId, cache });
  expect(refuseAnthropicMessages(body)).toBeUndefined();
  return body.messages;
};

describe('a call of the server that was never answered', () => {
  const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'a' } };
  const found = { type: 'web_search_tool_result', tool_use_id: 's1', content: [] };
  const use = { type: 'tool_use', id: 't1', name: 'read' };
  const said = { type: 'text', text: 'Wait.' };

  it('goes back while the turn is open: at its end, and behind results of ours', () => {
    expect(bodyOf([user('Hi'), assistant([said, search])]).at(-1)?.content).toEqual([said, search]);
    const messages = [user('Hi'), assistant([search, use], [call('t1')]), results('t1')];
    expect(bodyOf(messages)[1]?.content).toEqual([search, { ...use, input: {} }]);
  });

  it('goes back where the answer came later', () => {
    const paused = [user('Hi'), assistant([said, search]), assistant([found, said]), user('And?')];
    expect(bodyOf(paused)[1]?.content).toEqual([said, search, found, said]);
  });

  it('is gone if the user has gone on, though nothing else was said', () => {
    expect(bodyOf([user('Hi'), assistant([said, search]), user('And?')])[1]?.content).toEqual([said]);
    expect(bodyOf([user('Hi'), assistant([search]), user('And?')])[1]?.content).toEqual([
      { type: 'text', text: '(no answer)' },
    ]);
  });
});

it('sends a call back with a name and an id that the API takes, whatever it was made with', () => {
  const use = { type: 'tool_use', id: 'functions.list:0', name: 'files.list' };
  const messages = [user('Hi'), assistant([use], [call('functions.list:0')]), results('functions.list:0')];
  expect(bodyOf(messages)[1]?.content).toEqual([
    { type: 'tool_use', id: 'functions_list_0', name: wireName('files.list'), input: {} },
  ]);
});

describe('a thought on a budget', () => {
  const settings = { modelId: 'claude-haiku-4-5' };
  const use = { type: 'tool_use', id: 't1', name: 'read', caller: { type: 'direct' } };
  const thinks = (...messages: readonly Message[]): boolean => {
    const request: ModelRequest = { system: '', messages, tools: [], toolChoice: 'auto', reasoning: 'high' };
    const body = toRequest(request, settings);
    expect(refuseAnthropicMessages(body)).toBeUndefined();
    return body.thinking !== undefined;
  };
  const { origin, ...unsigned } = assistant([{ type: 'redacted_thinking', data: 'enc' }, use], [call('t1')]);
  const begun: Message = { ...unsigned, origin: { ...origin, api: 'anthropic-messages', model: settings.modelId } };

  it('is allowed if nothing was called yet, and after a signed thought', () => {
    expect(thinks(user('Hi'))).toBe(true);
    expect(thinks(user('Hi'), assistant([{ type: 'text', text: 'Hello.' }]), user('And?'))).toBe(true);
    expect(thinks(user('Hi'), begun, results('t1'))).toBe(true);
  });

  it('is not allowed within a turn without signed thoughts: a truncated one, or one of another model', () => {
    expect(thinks(user('Hi'), unsigned, results('t1'))).toBe(false);
    expect(thinks(user('Hi'), unsigned, results('t1'), user('Go on'))).toBe(false);
    expect(thinks(user('Hi'), unsigned, results('t1'), assistant([{ type: 'text', text: 'So.' }]), user('And?'))).toBe(
      true,
    );
  });
});

describe('the end of the request before', () => {
  const ids = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const uses = ids.map((id) => ({ type: 'tool_use', id, name: 'read', caller: { type: 'direct' } }));
  const marks = (messages: readonly Message[], cache?: boolean) =>
    bodyOf(messages, {}, cache).map(({ content }) => JSON.stringify(content).includes('cache_control'));

  it('is marked if it is too far away to be found', () => {
    const far = [user('Hi'), assistant(uses, ids.map(call)), results(...ids)];
    expect(marks(far)).toEqual([true, false, false]);
    expect(marks(far, false)).toEqual([false, false, false]);
    expect(marks([...far, assistant([{ type: 'text', text: 'So.' }]), user('And?')])).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('is not if it is near', () => {
    const near = [user('Hi'), assistant(uses.slice(0, 2), ids.slice(0, 2).map(call)), results('t0', 't1')];
    expect(marks(near)).toEqual([false, false, false]);
  });
});
