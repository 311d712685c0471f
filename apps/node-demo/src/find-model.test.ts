import { type Handler, loopback, sse } from '@utensil/tooling-loopback';
import { describe, expect, it } from 'vitest';
import { findModel, nameModel } from './find-model.ts';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

const models = { models: [{ name: 'qwen3:8b' }, { name: 'nomic-embed-text' }, { name: 'gemma3' }] };
const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** A simulated Ollama: it makes one call, and then reports its result. */
const ollama: Handler = ({ path, body }) => {
  if (path === '/api/tags') return json(models);
  const call = { function: { name: 'filesystem', arguments: { command: 'view', path: '/' } } };
  const message = body.includes('"tool_call_id"') ? { content: 'I looked.' } : { content: '', tool_calls: [call] };
  return { body: `${JSON.stringify({ message, done: true, done_reason: 'stop' })}\n` };
};

describe('Ollama', () => {
  it('is reached by itself where a server runs, and calls the tools', async () => {
    await using server = await loopback(ollama);
    await using folder = await temporaryFolder();
    const { code, all: output } = await demo(['--folder', folder.path, 'Look'], { env: { OLLAMA_HOST: server.url } });
    expect(code).toBe(0);
    expect(output).toContain('Utensil · ollama:qwen3:8b · ');
    expect(output).toContain('I looked.');
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/tags', '/api/chat', '/api/chat']);
  });

  it('is not looked for where a key is set', async () => {
    await using server = await loopback(() => ({ status: 401, ...json({ error: { message: 'no' } }) }));
    await using folder = await temporaryFolder();
    const env = { OLLAMA_HOST: server.url, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: server.url };
    const { all: output } = await demo(['--folder', folder.path, 'Look'], { env });
    expect(output).toContain('Utensil · openai:');
    expect(server.requests.map(({ path }) => path)).toEqual(['/responses']);
  });

  it('is chosen with /model, which shows what it has, and is remembered in the folder', async () => {
    await using server = await loopback(ollama);
    await using folder = await temporaryFolder();
    const words = ['--folder', folder.path];
    const env = { OLLAMA_HOST: server.url };
    const chosen = await demo([...words, '--model', 'offline'], {
      env,
      input: '/model\n/model ollama:gemma3\n/model ollama\n',
    });
    expect(chosen.all).toContain('Model: offline');
    expect(chosen.all.replaceAll(/\s+/g, ' ')).toContain('ollama:qwen3:8b, ollama:gemma3, or any other model id');
    expect(chosen.all).toContain('The model is ollama:gemma3.');
    expect(chosen.all).toContain('The model is ollama:qwen3:8b.');
    await demo(words, { env, input: '/model ollama:gemma3\n' });
    expect((await demo(words, { env: { OPENAI_API_KEY: 'k' } })).all).toContain('Model: ollama:gemma3.');
    expect((await demo([...words, '--model', 'offline'])).all).toContain('Model: offline');
  });

  it('is looked for at its usual port, if nothing else is configured', async () => {
    const asked: unknown[] = [];
    const listModels = async (place?: object) => {
      asked.push(place);
      return [{ id: 'qwen3', size: 1 }];
    };
    expect(await findModel({ env: {}, listModels })).toBe('ollama:qwen3');
    expect(await findModel({ env: { GEMINI_API_KEY: 'k' }, listModels })).toBe('google');
    expect(await findModel({ env: {}, baseUrl: 'http://a.example', listModels })).toBe('offline');
    expect(asked).toEqual([{}]);
    expect(await findModel({ env: {}, listModels: async () => undefined })).toBe('offline');
    expect(await findModel({ env: {}, listModels: async () => [] })).toBe('offline');
    expect(await nameModel('ollama', { env: {}, listModels: async () => undefined })).toBe('ollama');
  });
});

it('reaches any server that speaks the API of OpenAI', async () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'Hello.' }, finish_reason: 'stop' }] };
  await using server = await loopback(() => ({ body: sse([{ data: chunk }, { data: '[DONE]' }]) }));
  await using folder = await temporaryFolder();
  const env = { COMPATIBLE_BASE_URL: `${server.url}/v1`, COMPATIBLE_MODEL: 'local', COMPATIBLE_API_KEY: 'own' };
  const { code, all: output } = await demo(['--folder', folder.path, 'Hi'], { env });
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining('Utensil · compatible:local · ') as string,
  });
  expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: 'Bearer own' } });
  const { code: failed, errors } = await demo(['--folder', folder.path, '--model', 'compatible:x', 'Hi']);
  expect([failed, errors]).toEqual([
    2,
    'Error: Where is the server? Set COMPATIBLE_BASE_URL, or name it with --base-url.\n',
  ]);
});

it.each([
  ['google', 'GEMINI_API_KEY'],
  ['openrouter', 'OPENROUTER_API_KEY'],
])('reaches %s by its key', async (kind, variable) => {
  await using server = await loopback(() => ({ status: 400, ...json({ error: { code: 400, message: 'not today' } }) }));
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path, '--base-url', server.url, 'Hi'];
  const { code, all: output } = await demo(words, { env: { [variable]: 'k' } });
  expect(output).toContain(`Utensil · ${kind}:`);
  expect(output).toContain('not today');
  expect([code, server.requests.length]).toEqual([1, 1]);
});
