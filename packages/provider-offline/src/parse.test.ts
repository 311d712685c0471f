import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { format } from './format.ts';
import { type Command, forms, isVerb, slotsOf, type Verb } from './grammar.ts';
import { parse } from './parse.ts';

describe('parse', () => {
  it.each<[string, Command[]]>([
    ['list', [{ verb: 'list', path: '' }]],
    ['  LIST  notes  ', [{ verb: 'list', path: 'notes' }]],
    ['list then', [{ verb: 'list', path: 'then' }]],
    ['write a.md: buy milk', [{ verb: 'write', path: 'a.md', text: 'buy milk\n' }]],
    ['write a.md:buy: milk', [{ verb: 'write', path: 'a.md', text: 'buy: milk\n' }]],
    ['write a.md: one\ntwo', [{ verb: 'write', path: 'a.md', text: 'one\ntwo\n' }]],
    ['write "a: b.md": "x"', [{ verb: 'write', path: 'a: b.md', text: 'x' }]],
    ['write a.md: ""', [{ verb: 'write', path: 'a.md', text: '' }]],
    ['write a.md: "one\\n\\"two\\" \\\\ \\x"', [{ verb: 'write', path: 'a.md', text: 'one\n"two" \\ \\x' }]],
    ['write a.md: say "hi"', [{ verb: 'write', path: 'a.md', text: 'say "hi"\n' }]],
    ['append my notes.md: and then some', [{ verb: 'append', path: 'my notes.md', text: 'and then some\n' }]],
    [
      'write a.md: eat then sleep then read a.md',
      [
        { verb: 'write', path: 'a.md', text: 'eat then sleep\n' },
        { verb: 'read', path: 'a.md' },
      ],
    ],
    [
      'write a.md: "eat then read"\nTHEN list then recall',
      [
        { verb: 'write', path: 'a.md', text: 'eat then read' },
        { verb: 'list', path: '' },
        { verb: 'recall', name: '' },
      ],
    ],
    ['write a.md: strengthen list', [{ verb: 'write', path: 'a.md', text: 'strengthen list\n' }]],
    ['write a.md: so then read-only', [{ verb: 'write', path: 'a.md', text: 'so then read-only\n' }]],
    ['replace milk with oat milk in a.md', [{ verb: 'replace', old: 'milk', new: 'oat milk', path: 'a.md' }]],
    ['replace "a with b" with "" in a.md', [{ verb: 'replace', old: 'a with b', new: '', path: 'a.md' }]],
    ['move a to "x then read y"', [{ verb: 'move', from: 'a', to: 'x then read y' }]],
    ['remember shopping: milk', [{ verb: 'remember', name: 'shopping', text: 'milk\n' }]],
    ['delete then then help', [{ verb: 'delete', path: 'then' }, { verb: 'help' }]],
  ])('reads %j', (text, commands) => {
    expect(parse(text)).toEqual({ commands });
  });

  it.each([
    ['', 'There is nothing to do.'],
    ['What is the weather?', '"What" is not a command.'],
    ['toString', '"toString" is not a command.'],
    ['read', '<path> of "read <path>" is missing.'],
    ['read then list', '<path> of "read <path>" is missing.'],
    ['write a.md', '":" is missing after <path> of "write <path>: <text>".'],
    ['write a.md:', '<text> of "write <path>: <text>" is missing.'],
    ['move a then read b to c', '"to" is missing after <from> of "move <from> to <to>".'],
    ['write a.md: "x', 'The quotes around <text> of "write <path>: <text>" are not closed.'],
    [
      'write a.md: "x" y',
      'Behind the quotes around <text> of "write <path>: <text>" belongs nothing but "then" and a command.',
    ],
    ['move "a" b to c', 'Behind the quotes around <from> of "move <from> to <to>" belongs "to".'],
    ['help me', 'Unexpected text after "help": "me".'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(parse(text)).toEqual({ problem });
  });

  it('reads back every program that format writes', () => {
    fc.assert(
      fc.property(fc.array(command(), { minLength: 1, maxLength: 8 }), (commands) => {
        expect(parse(format(commands))).toEqual({ commands });
      }),
      { numRuns: 2000 },
    );
  });

  it('reads an unquoted text as it stands, up to the next command', () => {
    const word = fc.stringMatching(/^[a-z,.!"\\äß🙂]{1,8}$/u).filter((text) => !isVerb(text) && !text.startsWith('"'));
    const words = fc.array(fc.oneof(word, fc.constant('then'), fc.constant('to')), { minLength: 1, maxLength: 6 });
    const texts = fc.array(words, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(texts, (all) => {
        const program = all.map((text) => `write a.md: ${text.join(' ')}`).join(' then ');
        const commands = all.map((text) => ({ verb: 'write', path: 'a.md', text: `${text.join(' ')}\n` }));
        expect(parse(program)).toEqual({ commands });
      }),
    );
  });

  it('never throws, and reads back whatever it understood', () => {
    const near = fc.array(
      fc.oneof(
        fc.constantFrom(...Object.keys(forms), 'then', 'to', 'with', 'in', ':', '"', '\\', ' ', '\n'),
        fc.string(),
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          near.map((parts) => parts.join(' ')),
        ),
        (text) => {
          const program = parse(text);
          expect(parse(program.commands === undefined ? text : format(program.commands))).toEqual(program);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('takes no longer than the text is long', () => {
    const long = 100_000;
    expect(parse(`write a: ${' then'.repeat(long)}`).commands).toHaveLength(1);
    expect(parse(`write a: x${' '.repeat(long)}y`).commands).toHaveLength(1);
    expect(parse(`write a: "${'\\"'.repeat(long)}"`).commands).toHaveLength(1);
    expect(parse(`move ${'to'.repeat(long)}`).problem).toBeDefined();
  });
});

/** Any command, with fields that could be taken for something else. */
function command(): fc.Arbitrary<Command> {
  return fc.constantFrom(...(Object.keys(forms) as Verb[])).chain((verb) => {
    const fields = slotsOf(verb).map(({ field, isOptional }) => [
      field,
      isOptional ? fc.oneof(fc.constant(''), value()) : value(),
    ]);
    return fc.record(Object.fromEntries(fields)).map((values) => ({ verb, ...values }) as Command);
  });
}

function value(): fc.Arbitrary<string> {
  const tricky = fc.constantFrom(
    'then',
    'then read x',
    ' then list ',
    '"',
    '\\',
    '\\n',
    '\n',
    '\r\n',
    ':',
    ' to ',
    'with',
    'in',
    'list',
    'notes/todo.md',
    '🙂',
    '\u2028',
  );
  return fc.oneof(
    tricky,
    fc.string({ unit: 'binary' }),
    fc.array(tricky).map((parts) => parts.join('')),
  );
}
