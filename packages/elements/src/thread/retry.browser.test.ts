import { UtensilError, createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilThread } from './thread.ts';

const busy = (text: string, retryAfterMs: number) => ({
  text,
  breaks: new UtensilError('model_overloaded', 'Busy.', { retryable: true, retryAfterMs }),
});
const toolset = resolveToolset(createRegistry(), emptySettings, {});

it('says why a turn failed and when it is asked for again, in place of what had come; then there is the answer alone', async () => {
  const model = scriptedModel([busy('Half', 1_500), { text: 'The whole answer.' }]);
  const element = await mount(UtensilThread, { run: run({ model, toolset, messages: 'Hi' }) });
  const shown = () => element.renderRoot.querySelector('.rows')?.textContent ?? '';
  await expect.poll(shown).toContain('The service is overloaded. Trying again in 2s…');
  expect(page.getByText('Half').elements()).toEqual([]);
  expect(element.renderRoot.querySelector('.hidden-text[role=status]')?.textContent).toContain(
    'The service is overloaded.',
  );
  expect(await accessibilityProblems(element)).toEqual([]);
  await expect.element(page.getByText('The whole answer.')).toBeVisible();
  expect(shown()).not.toContain('overloaded');
  expect(page.getByText('Half').elements()).toEqual([]);
});
