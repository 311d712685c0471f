import { expect, it } from 'vitest';
import { answerOf, fieldsOf, offersOf } from './schema-form.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', maxLength: 80 },
    story: { type: 'string' },
    age: { type: 'integer', description: 'In years.' },
    size: { type: 'string', enum: ['small', 'large'] },
    sure: { type: 'boolean' },
  },
  required: ['name', 'sure'],
};

it('makes a form of a flat schema', () => {
  const fields = fieldsOf(schema) ?? [];
  expect(fields.map(({ name, label, kind, isNeeded }) => [name, label, kind, isNeeded])).toEqual([
    ['name', 'Your name', 'text', true],
    ['story', 'story', 'longtext', false],
    ['age', 'age', 'integer', false],
    ['size', 'size', 'choice', false],
    ['sure', 'sure', 'boolean', true],
  ]);
  expect(answerOf(fields, { name: 'Ada', age: '36' })).toEqual({ output: { name: 'Ada', age: 36, sure: false } });
  expect(answerOf(fields, {})).toMatchObject({ field: { name: 'name' }, problem: 'needed' });
  expect(answerOf(fields, { name: 'Ada', age: '3.5' })).toMatchObject({ field: { name: 'age' }, problem: 'noNumber' });
});

it('makes a form of one value', () => {
  const fields = fieldsOf({ type: 'string', enum: ['yes', 'no'] }) ?? [];
  expect(answerOf(fields, { '': 'no' })).toEqual({ output: 'no' });
});

it('makes no form for nested or mixed schemas', () => {
  expect(fieldsOf({ type: 'object', properties: { a: { type: 'array' } } })).toBeUndefined();
  expect(fieldsOf({ type: 'object' })).toBeUndefined();
  expect(fieldsOf({ enum: [1, 'two'] })).toBeUndefined();
  expect(fieldsOf({})).toBeUndefined();
});

it('finds the answers that a question offers', () => {
  expect(offersOf({ question: '?', choices: ['red', 'blue'] })).toEqual(['red', 'blue']);
  expect(offersOf({ options: ['red', 3] })).toEqual([]);
});
