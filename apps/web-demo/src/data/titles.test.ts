import type { Message } from '@utensil/core';
import { expect, it } from 'vitest';
import { titleOf } from './titles.ts';

const asks = (text: string): readonly Message[] => [
  { id: 'u', role: 'user', parts: [{ type: 'text', text }], createdAt: 0 },
];

it('named a conversation by the raw command or program of an example', () => {
  expect(titleOf(asks('summarise /data'))).toBe('Summarise the CSVs in /data');
});

it('cut words of long messages in two', () => {
  const title = titleOf(asks('Please compare the revenue of all three regions month by month, then say why\nand how'));
  expect(title).toBe('Please compare the revenue of all three regions month by…');
});

it('named a conversation that begins with a file alone by nothing', () => {
  const parts = [{ type: 'file', mediaType: 'text/plain', name: 'notes.md', data: '' }] as const;
  expect(titleOf([{ id: 'u', role: 'user', parts, createdAt: 0 }])).toBe('notes.md');
  const memo = { type: 'audio', mediaType: 'audio/wav', name: 'memo.wav', data: '' } as const;
  expect(titleOf([{ id: 'u', role: 'user', parts: [memo], createdAt: 0 }])).toBe('memo.wav');
});

it('follows the first message of the branch that is shown', () => {
  expect(titleOf([...asks('Ask gamma'), ...asks('Ask alpha')])).toBe('Ask gamma');
  expect(titleOf([])).toBe('');
});
