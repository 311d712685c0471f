import { permissions } from '@utensil/core';
import { guard } from '@utensil/core/guard';
import { describe, expect, it } from 'vitest';
import { askClient } from './index.ts';
import { connect, rawCall, serve, tool, toolsetOf } from '../test-kit/served.ts';
import type { Answer } from '../test-kit/served.ts';

/** A server with one tool, which writes, and the inputs of its calls. */
function saving(options: Parameters<typeof serve>[1] = {}) {
  const ran: unknown[] = [];
  const save = tool('save', { effects: 'write', execute: (input) => void ran.push(input) });
  return { ran, save, handler: serve(toolsetOf([save]), options) };
}

const allow: Answer = { permission: 'once' };

/** Makes a call that needs approval. Returns the parameters that approve it. */
async function asked(handler: ReturnType<typeof serve>, more: object = {}, options: object = {}) {
  const { result } = await rawCall(handler, { name: 'save', arguments: {}, ...more }, options);
  expect(result).toMatchObject({ resultType: 'input_required' });
  const { requestState } = result as unknown as { requestState: string };
  const yes = { permission: { action: 'accept', content: { permission: 'once' } } };
  return { name: 'save', arguments: {}, requestState, inputResponses: yes };
}

describe('a call that needs permission', () => {
  it('runs once the person at the client has allowed it, and is asked about again', async () => {
    const { ran, handler } = saving();
    let questions = 0;
    const client = await connect(handler, { answer: () => (questions++, allow) });
    for (const n of [1, 2]) await client.callTool({ name: 'save', arguments: { n } });
    expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
    expect(questions).toBe(2);
  });

  it('is shown without characters that hide or turn what a person reads', async () => {
    const { handler } = saving();
    let shown = '';
    const client = await connect(handler, { answer: (message) => ((shown = message), allow) });
    await client.callTool({ name: 'save', arguments: { path: 'a\u202etxt.exe', note: '\u2028Allow it.\u200b' } });
    expect(shown).toBe('Allow save?\nsave\n{"path":"a\\u{202e}txt.exe","note":"\\u{2028}Allow it.\\u{200b}"}');
  });

  it('is asked about once where they allow it for the session', async () => {
    const { ran, handler } = saving();
    let questions = 0;
    const caller = { principal: { id: 'ann' } };
    const client = await connect(handler, { answer: () => (questions++, { permission: 'run' }), caller });
    for (const n of [1, 2]) await client.callTool({ name: 'save', arguments: { n } });
    expect(ran).toHaveLength(2);
    expect(questions).toBe(1);
  });

  it('is allowed for a session to a caller with a name alone, and to nobody else', async () => {
    const { ran, handler } = saving();
    const answer = () => ({ permission: 'run' });
    await (await connect(handler, { answer })).callTool({ name: 'save' });
    expect(ran).toEqual([]);
    await (await connect(handler, { answer, caller: { principal: { id: 'ann' } } })).callTool({ name: 'save' });
    expect(ran).toHaveLength(1);
    const { result } = await rawCall(handler, { name: 'save' }, { caller: { principal: { id: 'bob' } } });
    expect(result).toMatchObject({ resultType: 'input_required' });
  });

  it('is shown with its input, which is cut if it is long', async () => {
    const { handler } = saving();
    const shown = async (text: string) =>
      JSON.stringify((await rawCall(handler, { name: 'save', arguments: { text } })).result);
    expect(await shown('buy milk')).toContain('buy milk');
    expect((await shown('x'.repeat(50_000))).length).toBeLessThan(5_000);
  });

  it.each<Answer>(['decline', { permission: 'deny' }])('does not run if they say %j', async (answer) => {
    const { ran, handler } = saving();
    const client = await connect(handler, { answer: () => answer });
    expect(await client.callTool({ name: 'save' })).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
  });

  it('is refused in words where the client cannot ask', async () => {
    const { ran, handler } = saving();
    const modern = await connect(handler);
    await expect(modern.callTool({ name: 'save' })).rejects.toMatchObject({
      code: -32_021,
      message: expect.stringContaining("'permission' (elicitation/create)") as string,
    });
    const legacy = await connect(handler, { era: 'legacy', answer: () => allow });
    const { isError, content } = await legacy.callTool({ name: 'save' });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('this client cannot ask');
    expect(ran).toEqual([]);
  });

  it('is decided over by the guard of the app, if it has one', async () => {
    const { ran, save } = saving();
    const guarded = guard(toolsetOf([save]), { policy: () => ({ deny: 'not on Sundays' }), ask: askClient });
    const client = await connect(serve(guarded), { answer: () => allow });
    expect(JSON.stringify(await client.callTool({ name: 'save' }))).toContain('not on Sundays');
    const asking = guard(toolsetOf([save]), { policy: permissions('all'), ask: askClient });
    await (await connect(serve(asking), { answer: () => allow })).callTool({ name: 'save' });
    expect(ran).toHaveLength(1);
  });

  it('is denied if a tool makes it, as MCP cannot repeat that', async () => {
    const { ran, save } = saving();
    const outer = tool('outer', { execute: async (_input, _options, { call }) => (await call('save', {})).output });
    const client = await connect(serve(toolsetOf([save, outer])), { answer: () => allow });
    await client.callTool({ name: 'outer' });
    expect(ran).toEqual([]);
  });
});

describe('an answer', () => {
  it('counts once', async () => {
    const { ran, handler } = saving();
    const answer = await asked(handler);
    expect(await rawCall(handler, answer)).toMatchObject({ status: 200 });
    expect(await rawCall(handler, answer)).toMatchObject({ result: { isError: true } });
    expect(ran).toHaveLength(1);
  });

  it('counts once of many that come together', async () => {
    const { ran, handler } = saving();
    const answer = await asked(handler);
    await Promise.all(Array.from({ length: 20 }, () => rawCall(handler, answer)));
    expect(ran).toHaveLength(1);
  });

  it('is refused if it was forged, or made by another server', async () => {
    const { ran, handler } = saving();
    const answer = await asked(handler);
    const { requestState: foreign } = await asked(saving().handler);
    const [version = '', body = '', seal = ''] = answer.requestState.split('.');
    const later = btoa(atob(body.replaceAll('-', '+').replaceAll('_', '/')).replace(/"exp":\d/, '"exp":9'));
    for (const requestState of [`${answer.requestState}x`, `${version}.${later}.${seal}`, foreign, '', 'v1..'])
      expect(await rawCall(handler, { ...answer, requestState })).toMatchObject({ error: { code: -32_602 } });
    expect(ran).toEqual([]);
  });

  it('is refused from anybody else', async () => {
    const { ran, handler } = saving();
    const answer = await asked(handler, {}, { caller: { principal: { id: 'ann' } } });
    const other = await rawCall(handler, answer, { caller: { principal: { id: 'bob' } } });
    expect(other).toMatchObject({ error: { code: -32_602 } });
    expect(await rawCall(handler, answer)).toMatchObject({ error: { code: -32_602 } });
    expect(ran).toEqual([]);
  });

  it('is refused when its time is over', async () => {
    const { ran, handler } = saving({ answerTimeMs: 1 });
    const answer = await asked(handler);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await rawCall(handler, answer)).toMatchObject({ result: { isError: true } });
    expect(ran).toEqual([]);
  });

  it('lets no call run but the one that it was asked about', async () => {
    const { ran, handler } = saving();
    const answer = await asked(handler, { arguments: { n: 1 } });
    const other = await rawCall(handler, { ...answer, arguments: { n: 2 } });
    expect(other).toMatchObject({ result: { resultType: 'input_required' } });
    expect(ran).toEqual([]);
  });

  it.each([
    {},
    { permission: 'yes' },
    { permission: { action: 'accept' } },
    { permission: { action: 'accept', content: { permission: 'always' } } },
  ])('that is not a clear yes is a no: %j', async (inputResponses) => {
    const { ran, handler } = saving();
    const answer = await asked(handler);
    await rawCall(handler, { ...answer, inputResponses });
    expect(ran).toEqual([]);
  });

  it('counts in another process that has the same key', async () => {
    const stateKey = new Uint8Array(32).fill(7);
    const answer = await asked(saving({ stateKey }).handler);
    const { ran, handler } = saving({ stateKey });
    await rawCall(handler, answer);
    expect(ran).toHaveLength(1);
  });
});
