import { expect, it } from 'vitest';
import { dialectPage } from '../test-kit/dialect-page.ts';

it('docs/dialects.md is generated from the data of the package', async () => {
  await expect(dialectPage()).toMatchFileSnapshot('../../../../docs/dialects.md');
});
