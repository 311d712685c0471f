// Promises of core for Node.js and browsers alike, in a real page.

import * as core from '@utensil/core';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, runTool } from '@utensil/core';
import { sha256Hex } from '@utensil/core/files';
import { expect, test } from 'vitest';

const double = defineTool({
  name: 'double',
  description: 'Doubles a number.',
  input: jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }),
  effects: 'read',
  execute: ({ n }) => n * 2,
});

test('this is a browser, and Node.js is not in it', () => {
  expect(navigator.userAgent).toContain('Chrome');
  expect('process' in globalThis || 'Buffer' in globalThis).toBe(false);
});

test('the main entry can be imported', () => {
  expect(Object.keys(core)).toContain('run');
});

test('a toolset describes the tools of a registry', () => {
  const toolset = resolveToolset(createRegistry([double]), emptySettings, {});
  expect(toolset.unavailable).toEqual([]);
  expect(toolset.definitions({ api: 'openai-responses' })).toMatchObject([{ name: 'double' }]);
});

test('a tool runs, and refuses input that does not fit its schema', async () => {
  expect(await runTool(double, { n: 21 })).toMatchObject({ output: 42, isError: false });
  expect(await runTool(double, { n: 'many' })).toMatchObject({ isError: true });
});

test('a text has the hash that it has everywhere', async () => {
  expect(await sha256Hex(new TextEncoder().encode('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
