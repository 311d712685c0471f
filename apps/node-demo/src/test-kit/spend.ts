// Runs that draw on the budget of a user in a folder, all at once: `spend.ts <folder> <runs>`. Says `turn` for each one asked for.
import process from 'node:process';
import { createRecords, createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import type { Model, ModelPart } from '@utensil/core';
import { storedBudget } from '@utensil/core/budget';
import { filesystemStorage } from '@utensil/storage-filesystem';

/** Cost of a turn, real and estimated, in US dollars: an answer of 4,096 tokens. */
export const turnCost = 0.04096;

export const budgetIn = (root: string) =>
  storedBudget(createRecords(filesystemStorage(root)), { id: 'ann', limits: { cost: 1 }, per: 'ever', holdMs: 2_000 });

/** It takes a while, and wants to go on for ever. */
const model: Model = {
  info: { api: 'text', id: 'costly', price: { input: 0, output: 10 } },
  async *stream(): AsyncGenerator<ModelPart> {
    console.log('turn');
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield { type: 'text-delta', text: 'More.' };
    const usage = { inputTokens: 0, outputTokens: 4_096, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    yield { type: 'finish', reason: 'pause', usage };
  },
};

const [, program = '', root = '', runs = ''] = process.argv;
if (program.endsWith('spend.ts')) {
  const budget = budgetIn(root);
  const toolset = resolveToolset(createRegistry(), emptySettings, {});
  const all = Array.from({ length: Number(runs) }, () => run({ model, toolset, budget, messages: 'Go on.' }).result);
  for (const { status, limit, error } of await Promise.all(all)) console.log(error?.message ?? `${status} ${limit}`);
}
