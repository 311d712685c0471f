import { createFiles, createRegistry, emptySettings, permissions, resolveToolset, run, runTool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { loopback } from '@utensil/tooling-loopback';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { javascriptTool, javascriptToolWithFetch } from './javascript.ts';

const worker = new URL(inject('sandboxWorker'));

const sandbox = quickjsSandbox({ worker, maxWorkers: 1 });
afterAll(() => sandbox.close());

const files = createFiles(memoryStorage());

describe('the web', () => {
  it('is out of reach of scripts, though the host has a fetch', async () => {
    const host = { files, sandbox, fetch: guardedFetch() };
    const code = `return await fetch('https://example.com/')`;
    const { output, isError } = await runTool(javascriptTool, { code }, { host });
    expect([isError, output]).toEqual([true, expect.stringContaining('the network is off in this sandbox')]);
    expect(javascriptTool.openWorld).toBeUndefined();
  });

  it('is reached if the app grants it, through the fetch of the host', async () => {
    const server = await loopback(() => ({ body: '[3, 4]' }));
    const host = { files, sandbox, fetch: guardedFetch({ allowPrivate: [new URL(server.url).host] }) };
    const code = `return (await (await fetch('${server.url}')).json()).length + (await fetch('http://10.0.0.1/').catch(({ code }) => code))`;
    const { output } = await runTool(javascriptToolWithFetch, { code }, { host });
    expect(output).toBe('2fetch_blocked');
    await server.close();
  });

  it('is granted with a tool that says so to the model, to policies and to hosts that have no fetch', async () => {
    const toolsetFor = (host: object) =>
      resolveToolset(createRegistry([javascriptToolWithFetch]), emptySettings, { files, sandbox, ...host });
    expect(toolsetFor({}).unavailable[0]?.reason).toContain('fetch');
    const toolset = toolsetFor({ fetch: guardedFetch() });
    const [definition] = toolset.definitions({ api: 'openai-responses', supports: {} });
    expect(definition).toMatchObject({ description: expect.stringContaining('fetch(url, ') });
    expect(JSON.stringify(definition)).not.toContain('no network');
    const model = scriptedModel([{ calls: [{ name: 'javascript', input: { code: 'return 1' } }] }, { text: 'Done.' }]);
    const turn = run({ model, toolset, messages: 'Go.', policy: permissions('outward') });
    const asked: string[] = [];
    for await (const event of turn.events()) {
      if (event.type !== 'approval-request') continue;
      asked.push(event.name);
      turn.answer(event.questionId, 'once');
    }
    expect(asked).toEqual(['javascript']);
  });
});
