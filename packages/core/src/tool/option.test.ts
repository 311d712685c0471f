import { expect, expectTypeOf, it } from 'vitest';
import { defineTool } from './define.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import { modelChoices } from './model-choices.ts';
import { isVisible, option, optionProblem, readOptions } from './option.ts';
import type { OptionValue } from './option.ts';

const options = {
  deep: option.boolean({ label: 'Deep', default: false }),
  results: option.number({ label: 'Results', default: 8, min: 1, max: 20, step: 1 }),
  name: option.text({ label: 'Name', default: '', placeholder: 'Ada' }),
  notes: option.longtext({ label: 'Notes', default: '', placeholder: 'Several lines' }),
  mode: option.select({
    label: 'Mode',
    default: 'exact',
    choices: [
      { value: 'exact', label: 'Exact' },
      { value: 'regex', label: 'Regular expression' },
      { value: 'off', label: 'Off' },
    ],
    migrateFrom: [
      { option: 'useRegex', equals: true, value: 'regex' },
      { option: 'enabled', equals: false, value: 'off' },
    ],
  }),
  reader: option.model({ label: 'Reader' }),
  helpers: option.modellist({ label: 'Helpers', visibleWhen: { option: 'deep', equals: true } }),
  apiKey: option.secret({ label: 'Key' }),
};

it('gives every kind of option its value, and its type', () => {
  const values = readOptions(options, { reader: 'anthropic/claude-opus-5', helpers: ['b', 'a'] });
  expect(values).toEqual({
    deep: false,
    results: 8,
    name: '',
    notes: '',
    mode: 'exact',
    reader: 'anthropic/claude-opus-5',
    helpers: ['b', 'a'],
  });
  defineTool({
    name: 'typed',
    description(given) {
      expectTypeOf(given.deep).toEqualTypeOf<boolean>();
      expectTypeOf(given.results).toEqualTypeOf<number>();
      expectTypeOf(given.name).toEqualTypeOf<string>();
      expectTypeOf(given.notes).toEqualTypeOf<string>();
      expectTypeOf(given.mode).toEqualTypeOf<'exact' | 'regex' | 'off'>();
      expectTypeOf(given.reader).toEqualTypeOf<string>();
      expectTypeOf(given.helpers).toEqualTypeOf<readonly string[]>();
      expectTypeOf(given).not.toHaveProperty('apiKey');
      return '';
    },
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options,
  });
  expectTypeOf<readonly string[]>().toExtend<OptionValue>();
  const choices = [{ value: 'a', label: 'A' }] as const;
  // @ts-expect-error what an old switch becomes is one of the choices
  option.select({ label: '', default: 'a', choices, migrateFrom: [{ option: 'x', equals: true, value: 'b' }] });
});

it.each([
  [{ useRegex: true }, 'regex'],
  [{ useRegex: false }, 'exact'],
  [{ enabled: false }, 'off'],
  [{ enabled: true }, 'exact'],
  [{ useRegex: true, enabled: false }, 'regex'], // the first that fits
  [{ useRegex: 'yes' }, 'exact'],
  [{ useRegex: true, mode: 'exact' }, 'exact'], // what was chosen since
  [{ useRegex: true, mode: 'gone' }, 'regex'],
])('reads a choice from the switches that were there before: %j is %s', (stored, mode) => {
  const before = structuredClone(stored);
  expect(readOptions(options, stored)['mode']).toBe(mode);
  expect(stored).toEqual(before);
});

it.each([
  ['reader', 5, 'must be the id of a model'],
  ['reader', 'any/model-at-all', undefined],
  ['reader', '', undefined],
  ['helpers', 'a', 'must be a list of ids of models, each of them once'],
  ['helpers', ['a', 'a'], 'must be a list of ids of models, each of them once'],
  ['helpers', ['a', ''], 'must be a list of ids of models, each of them once'],
  ['helpers', ['a', 5], 'must be a list of ids of models, each of them once'],
  ['helpers', [], undefined],
  ['helpers', ['b', 'a'], undefined],
] as const)('says what is wrong with the models of %s: %j', (id, value, problem) => {
  expect(optionProblem(options[id], value)).toBe(problem);
});

it('gives tools lists of their own, which they cannot change', () => {
  const stored = { helpers: ['a', 'b'] };
  const list = readOptions(options, stored)['helpers'] as string[];
  expect(() => list.push('c')).toThrow(TypeError);
  expect(stored.helpers).toEqual(['a', 'b']);
  expect(() => (readOptions(options)['helpers'] as string[]).push('c')).toThrow(TypeError);
  stored.helpers.push('c');
  expect(list).toEqual(['a', 'b']);
});

it('shows and hides an option with the value of another, of lists with what is in them', () => {
  expect(isVisible(options.helpers, readOptions(options))).toBe(false);
  expect(isVisible(options.helpers, readOptions(options, { deep: true }))).toBe(true);
  const hint = option.text({ label: '', default: '', visibleWhen: { option: 'helpers', equals: ['b', 'x'] } });
  expect(isVisible(hint, { helpers: ['a', 'b'] })).toBe(true);
  expect(isVisible(hint, { helpers: ['a'] })).toBe(false);
  expect(isVisible(hint, { helpers: [] })).toBe(false);
  expect(isVisible(hint, {})).toBe(false);
});

it('keeps a model that is no longer offered, and says that it is missing', () => {
  const offered = [{ id: 'fast', label: 'Fast one' }, { id: 'thorough' }];
  const [fast, thorough] = [
    { id: 'fast', label: 'Fast one' },
    { id: 'thorough', label: 'thorough' },
  ];
  expect(modelChoices(offered, '')).toEqual([fast, thorough]);
  expect(modelChoices(offered, 'thorough')).toEqual([fast, thorough]);
  expect(modelChoices(offered, 'gone')).toEqual([fast, thorough, { id: 'gone', label: 'gone', missing: true }]);
  expect(modelChoices(offered, ['gone', 'fast', 'lost'])).toEqual([
    fast,
    thorough,
    { id: 'gone', label: 'gone', missing: true },
    { id: 'lost', label: 'lost', missing: true },
  ]);
  expect(readOptions(options, { reader: 'gone' })['reader']).toBe('gone');
});
