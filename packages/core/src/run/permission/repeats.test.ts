import { expect, it } from 'vitest';
import { textOf } from '../../model/message.ts';
import { UtensilError } from '../../base/errors.ts';
import { scriptedModel } from '../../testing/index.ts';
import { eventsOf, memoryThread, play, resultsOf, tool } from '../../test-kit/runs.ts';

const same = { calls: [{ name: 'look', input: { at: 1 } }] };

it('refuses a call that gave the same result too often, and asks for the answer when nothing else comes', async () => {
  let runs = 0;
  const look = tool('look', { execute: () => (runs++, 'nothing new') });
  const played = play([...Array.from({ length: 6 }, () => same), { text: 'I give up.' }], [look]);
  const { status, limit, text, messages } = await played.result;
  expect([status, limit, text, runs]).toEqual(['limit', 'repeats', 'I give up.', 4]);
  expect(resultsOf(messages).at(-1)?.output).toContain('was called with the same input 4 times');
  expect(textOf(played.model.requests.at(-1)?.messages.at(-1)?.parts ?? [])).toContain('again and again');
});

it('lets a call be repeated whose result changes, or that is not refused', async () => {
  let runs = 0;
  const look = tool('look', { execute: () => ++runs });
  const script = [...Array.from({ length: 8 }, () => same), { text: 'Done.' }];
  expect((await play(script, [look]).result).status).toBe('complete');
  const stale = tool('look', { execute: () => 'same' });
  expect((await play(script, [stale], { limits: { repeats: Infinity } }).result).status).toBe('complete');
});

it('[S4-11] answers a search that is much like an earlier one, and after two such rounds asks for the answer', async () => {
  let searches = 0;
  const search = tool('search', { role: { type: 'search', query: 'query' }, execute: () => `result ${++searches}` });
  const ask = (query: string) => ({ calls: [{ name: 'search', input: { query } }] });
  const script = [ask('best pizza in Rome'), ask('the best pizza Rome'), ask('pizza rome BEST'), { text: 'Da Remo.' }];
  const { status, limit, text, messages } = await play(script, [search]).result;
  expect([status, limit, text, searches]).toEqual(['limit', 'repeats', 'Da Remo.', 1]);
  expect(resultsOf(messages)[1]?.output).toBe(
    'You already searched for a similar query: "best pizza in Rome". Synthesize your answer from existing results.',
  );
});

it('[S4-11] allows searches for something else', async () => {
  let searches = 0;
  const search = tool('search', { role: { type: 'search', query: 'query' }, execute: () => `result ${++searches}` });
  const queries = ['best pizza in Rome', 'opening hours of the Vatican', 'ローマのピザ', ''];
  const calls = queries.map((query) => ({ name: 'search', input: { query } }));
  expect((await play([{ calls }, {}], [search]).result).status).toBe('complete');
  expect(searches).toBe(4);
});

it('lets a model read the next page of a search', async () => {
  let searches = 0;
  const search = tool('search', { role: { type: 'search', query: 'query' }, execute: () => `page ${++searches}` });
  const ask = (page: number) => ({ calls: [{ name: 'search', input: { query: 'pizza in Rome', page } }] });
  expect((await play([ask(1), ask(2), ask(2), { text: 'Da Remo.' }], [search]).result).status).toBe('complete');
  expect(searches).toBe(2);
});

it('[A4-08] a model that searches in circles has to answer from its results', async () => {
  const search = tool('search', { role: { type: 'search', query: 'query' }, execute: () => 'Da Remo, Via Ostia' });
  const circle = ({ messages }: { messages: readonly unknown[] }) =>
    messages.length > 12 ? { text: 'never' } : { calls: [{ name: 'search', input: { query: 'pizza Rome' } }] };
  const model = scriptedModel([circle, circle, circle, { text: 'Da Remo, in Via Ostia.' }]);
  const { status, text } = await play(model, [search]).result;
  expect([status, text]).toEqual(['limit', 'Da Remo, in Via Ostia.']);
});

it('ends at the limit of cost, by the price of the model or the vendor’s own word', async () => {
  const usage = { inputTokens: 100_000, outputTokens: 10_000, cacheReadTokens: 50_000 };
  const turn = { calls: [{ name: 'look' }], usage };
  const price = { input: 2, output: 10, cacheRead: 0.2 };
  const priced = scriptedModel([turn, turn, { text: 'Enough.' }], { price });
  const { limit, usage: spent, text } = await play(priced, [tool('look')], { limits: { cost: 0.4 } }).result;
  expect([limit, text]).toEqual(['cost', 'Enough.']);
  expect(spent.cost).toBeCloseTo(2 * (0.1 + 0.01 + 0.1), 10);
  const billed = scriptedModel([{ ...turn, usage: { ...usage, cost: 1 } }, { text: 'Enough.' }], { price });
  expect((await play(billed, [tool('look')], { limits: { cost: 0.4 } }).result).usage.cost).toBe(1);
});

it('[S2-39] makes a prompt that is too long shorter, and asks again', async () => {
  const long = tool('long', { execute: () => 'long '.repeat(5_000) });
  const refuse = (): never => {
    throw new UtensilError('prompt_too_long', 'The prompt is too long.');
  };
  let refused = 0;
  const model = scriptedModel([
    { calls: Array.from({ length: 6 }, (_, page) => ({ name: 'long', input: { page } })) },
    () => (refused++, refuse()),
    () => (refused++, refuse()),
    { text: 'It fits.' },
  ]);
  const { status, text, messages } = await play(model, [long]).result;
  expect([status, text, refused]).toEqual(['complete', 'It fits.', 2]);
  expect(textOf(resultsOf(messages)[0]?.modelParts ?? []).length).toBeGreaterThan(20_000);
  const omitted = model.requests.map(
    ({ messages: sent }) =>
      resultsOf(sent).filter(({ modelParts }) => textOf(modelParts).startsWith('Tool result omitted')).length,
  );
  expect(omitted).toEqual([0, 0, 4, 6]);
});

it('[S2-39] ends with the error if nothing more can be left out', async () => {
  const refuse = (): never => {
    throw new UtensilError('prompt_too_long', 'The prompt is too long.');
  };
  const model = scriptedModel([refuse, refuse, refuse, refuse, refuse, refuse]);
  const played = play(model);
  const { status, error } = await played.result;
  expect([status, error?.code]).toEqual(['error', 'prompt_too_long']);
  expect((await eventsOf(played)).at(-1)?.type).toBe('run-end');
});

const story = 'Once upon a time there was a long story. '.repeat(60); // about 600 tokens

/** A thread that no window of 2,000 tokens holds. */
async function longThread() {
  const thread = memoryThread();
  const model = scriptedModel(Array.from({ length: 6 }, (_, index) => ({ text: `${index} ${story}` })));
  for (let index = 0; index < 6; index++)
    await play(model, [], { thread, messages: `Chapter ${index}, please.` }).result;
  return thread;
}

it('[S2-39] leaves out what the context window cannot hold, and later runs of the thread leave out the same', async () => {
  const thread = await longThread();
  const ask = async (message: string) => {
    const model = scriptedModel([{ text: 'And so on.' }], { contextWindow: 3_000 });
    await play(model, [], { thread, messages: message }).result;
    return model.requests[0]?.messages ?? [];
  };
  const first = await ask('More.');
  expect(first.length).toBeLessThan(12);
  expect(first.map(({ parts }) => textOf(parts)).join(' ')).toContain('left out here');
  const second = await ask('Even more.');
  expect(second.slice(0, first.length)).toEqual(first);
  expect(thread.marks.filter(({ type }) => type === 'compacted').length).toBe(1);
});

it('has the model summarize the omitted part on request, and remembers the summary', async () => {
  const thread = await longThread();
  const usage = { inputTokens: 9, outputTokens: 1 };
  const model = scriptedModel([{ text: 'There were chapters.', usage }, { text: 'And so on.' }, { text: 'The end.' }], {
    contextWindow: 3_000,
  });
  const first = await play(model, [], { thread, messages: 'More.', summarize: true }).result;
  expect([first.text, first.usage.inputTokens]).toEqual(['And so on.', 9]);
  expect(textOf(model.requests[0]?.messages[0]?.parts ?? [])).toContain('Chapter 0, please.');
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('There were chapters.');
  await play(model, [], { thread, messages: 'Even more.', summarize: true }).result;
  expect(model.requests.length).toBe(3);
  expect(JSON.stringify(model.requests[2]?.messages)).toContain('There were chapters.');
});

it('goes on without a summary if the model fails to make one', async () => {
  const thread = await longThread();
  const fails = (): never => {
    throw new UtensilError('model_overloaded', 'Busy.');
  };
  const model = scriptedModel([fails, { text: 'And so on.' }], { contextWindow: 3_000 });
  const { status } = await play(model, [], { thread, messages: 'More.', summarize: true }).result;
  expect(status).toBe('complete');
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('left out here');
});
