import { expect, it } from 'vitest';
import { serviceModels } from './service-models.ts';
import { services } from './services.ts';

const paid = services.filter(({ key }) => key === 'required');
const proposed = paid.flatMap(({ id, models }) => models.map((model) => [id, model] as const));

it.each(proposed)('knows context window and price of the default model of %s, %s', async (id, model) => {
  const { info } = await serviceModels[id](model, { apiKey: 'k' });
  expect(info.contextWindow).toBeGreaterThan(100_000);
  expect(info.reportsCost === true || (info.price?.output ?? 0) > 0).toBe(true);
});

it('gives a model on the user’s own computer a window that it is asked with', async () => {
  const model = await serviceModels.ollama('qwen3', {});
  expect(model.info).toMatchObject({ contextWindow: 16_384, price: { input: 0, output: 0 } });
});
