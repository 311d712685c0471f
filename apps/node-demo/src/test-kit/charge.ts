// Resumes the thread of a folder, which charges a card at a local bank: `charge.ts <folder> <url> <tool>`.
import process from 'node:process';
import { createRecords, createRegistry, defineTool, emptySettings, openThread, resolveToolset } from '@utensil/core';
import { jsonSchema, resume, run } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { filesystemStorage, processHolder } from '@utensil/storage-filesystem';

const input = jsonSchema<{ cents: number }>({ type: 'object', properties: { cents: { type: 'number' } } });

/** Tools that charge a card through a bank that charges nothing twice under one key, or that can be asked what it has charged. */
export const charges = (url: string) =>
  ({
    keyed: defineTool({
      name: 'charge',
      description: 'Charges the card.',
      input,
      effects: 'destructive',
      idempotent: true,
      async execute({ cents }, _options, { idempotencyKey, signal }) {
        const headers = { 'idempotency-key': idempotencyKey };
        const answer = await fetch(`${url}/charges`, { method: 'POST', headers, body: `${cents}`, signal });
        return answer.text();
      },
    }),
    asked: defineTool({
      name: 'charge',
      description: 'Charges the card.',
      input,
      effects: 'destructive',
      async execute({ cents }, _options, { idempotencyKey, signal }) {
        const path = `/charges/${idempotencyKey}`;
        return (await fetch(url + path, { method: 'PUT', body: `${cents}`, signal })).text();
      },
      async reconcile(_input, _options, { idempotencyKey, signal }) {
        const found = await fetch(`${url}/charges/${idempotencyKey}`, { signal });
        return found.ok ? { done: await found.text() } : found.status === 404 ? 'not-done' : 'unknown';
      },
    }),
  }) satisfies Record<string, Tool>;

/** Begins the run in a folder, or resumes it. */
export function charge(root: string, tool: Tool, isFirst: boolean) {
  const options = {
    toolset: resolveToolset(createRegistry([tool]), emptySettings, {}),
    thread: openThread(createRecords(filesystemStorage(root)), 'card', { holder: processHolder() }),
  };
  const call = { name: 'charge', input: { cents: 500 } };
  if (isFirst) return run({ ...options, model: scriptedModel([{ calls: [call] }]), messages: 'Charge the card.' });
  return resume({ ...options, model: scriptedModel([{ text: 'Charged.' }]) });
}

const [, program = '', root = '', url = '', kind = ''] = process.argv;
if (program.endsWith('charge.ts')) await charge(root, charges(url)[kind as 'keyed'], true).result;
