import { expect, it } from 'vitest';
import { dialectPage } from '../test-kit/dialect-page.ts';
import { familySources } from '../test-kit/family-sources.ts';
import { families } from './dialect-of-model.ts';

it('docs/dialects.md is generated from the data of the package', async () => {
  await expect(dialectPage()).toMatchFileSnapshot('../../../../docs/dialects.md');
});

it('every family has a source, in the same order', () => {
  expect(Object.keys(familySources)).toEqual(families.map(({ models }) => models.source));
});
