import { host } from '@utensil/core';
import type { Fetch, HostOf } from '@utensil/core';
import { expectTypeOf, test } from 'vitest';

test('the fetch of the platform can be offered as the capability', () => {
  expectTypeOf<typeof globalThis.fetch>().toExtend<Fetch>();
  const requires = { fetch: host.fetch };
  expectTypeOf<HostOf<typeof requires>>().toEqualTypeOf<{ readonly fetch: Fetch }>();
});
