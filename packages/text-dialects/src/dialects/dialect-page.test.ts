import { expect, it } from 'vitest';
import { dialectPage } from '../test-kit/dialect-page.ts';

it('is in the documents as the data of the package has it', async () => {
  await expect(dialectPage()).toMatchFileSnapshot('../../../docs/dialects.md');
});
