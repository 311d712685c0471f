import { expect, it } from 'vitest';
import { benchmarks } from '../benchmarks.ts';
import { helpOf } from './help.ts';
import { assertTaken, readCommand, someOf } from './options.ts';

it('reads a command line', () => {
  const words = ['run-loop', '--only', 'utensil,hand', '--mode', 'scripted', '--rounds', '1', '--wait', '0', '--quick'];
  expect(readCommand(words)).toEqual({
    name: 'run-loop',
    wantsHelp: false,
    given: { only: 'utensil,hand', mode: 'scripted', rounds: '1', wait: '0', quick: true },
  });
  expect(readCommand(['--help'])).toEqual({ name: undefined, wantsHelp: true, given: {} });
  expect(() => readCommand(['size', '--round', '1'])).toThrow('--round');
});

it('says that an option is one of another benchmark', () => {
  expect(() => assertTaken('size', { backend: 'memory' }, ['quick', 'json'])).toThrow(
    'size takes no --backend, but --quick, --json.',
  );
  expect(() => assertTaken('size', { quick: true }, ['quick'])).not.toThrow();
});

it('takes all choices if nothing is given', () => {
  expect(someOf('only', undefined, ['a', 'b'])).toEqual(['a', 'b']);
  expect(someOf('only', 'b', ['a', 'b'])).toEqual(['b']);
});

it('has help for every benchmark, with the subjects that it compares', () => {
  const help = helpOf(benchmarks);
  expect(benchmarks.map(({ name }) => name).filter((name) => !help.includes(`\n  ${name} `))).toEqual([]);
  expect(help).toContain('[--backend memory,filesystem]');
  expect(help).toContain('hand-written loop');
  for (const { prepare } of benchmarks) expect(prepare({})).toBeTypeOf('function');
});
