import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hrefOf, pages, routeOf } from './route.ts';

it('reads every address that it writes', () => {
  const name = fc.string({ minLength: 1 });
  const route = fc.record({ page: fc.constantFrom(...pages), project: name, conversation: name });
  fc.assert(
    fc.property(route, (route) => {
      expect(routeOf(hrefOf(route))).toEqual(route);
    }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...pages), (page) => {
      expect(routeOf(hrefOf({ page }))).toEqual({ page });
    }),
  );
});

it('takes any other address for the chat', () => {
  expect(routeOf('')).toEqual({ page: 'chat' });
  expect(routeOf('#/nowhere/%E0%A4%A')).toEqual({ page: 'chat' });
  fc.assert(
    fc.property(fc.string(), (hash) => {
      expect(pages).toContain(routeOf(hash).page);
    }),
  );
});
