import { expect, it } from 'vitest';
import { createInterrupts } from './interrupts.ts';

function watched() {
  const happened: string[] = [];
  const interrupts = createInterrupts(
    () => happened.push('hint'),
    () => happened.push('quit'),
  );
  return { happened, interrupts };
}

it('aborts the answer under way, then quits', async () => {
  const { happened, interrupts } = watched();
  await interrupts.during(async (signal) => {
    signal.addEventListener('abort', () => happened.push('abort'));
    interrupts.press();
    interrupts.press();
  });
  expect(happened).toEqual(['abort', 'quit']);
});

it('warns, and quits unless something else was done', () => {
  const { happened, interrupts } = watched();
  interrupts.press();
  interrupts.reset();
  interrupts.press();
  interrupts.press();
  expect(happened).toEqual(['hint', 'hint', 'quit']);
});

it('counts from the beginning again once an answer has ended', async () => {
  const { happened, interrupts } = watched();
  await interrupts.during(async () => interrupts.press());
  interrupts.press();
  expect(happened).toEqual(['hint']);
});
