import { expect, it } from 'vitest';
import { servers } from './servers.ts';
import { services } from './services.ts';

it('has a server for every service that has models to choose', () => {
  const withModels = services.filter(({ models }) => models.length > 0);
  expect(Object.keys(servers)).toEqual(withModels.map(({ id }) => id));
});
