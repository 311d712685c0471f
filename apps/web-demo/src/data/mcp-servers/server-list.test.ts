import { createRecords } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { changeServers, checkServer, readServers } from './server-list.ts';

it('keeps the servers that several tabs add and remove at the same time, under different names', async () => {
  const storage = memoryStorage();
  const add = (url: string) =>
    changeServers(createRecords(storage), (servers) => [...servers, checkServer({ name: '', url }, servers)]);
  await add('https://mcp.old.example/mcp');
  await Promise.all([
    ...[1, 2, 3].map((path) => add(`https://mcp.new.example/${path}`)),
    changeServers(createRecords(storage), (servers) => servers.filter(({ name }) => name !== 'old')),
  ]);
  const servers = await readServers(createRecords(storage));
  expect(servers.map(({ name }) => name).toSorted()).toEqual(['new', 'new-2', 'new-3']);
  expect(servers.map(({ url }) => url.slice(-1)).toSorted()).toEqual(['1', '2', '3']);
});
