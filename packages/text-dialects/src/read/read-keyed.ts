import { asMatch } from './block.ts';
import type { Block, BlockReading, Match, Place } from './block.ts';
import type { JsonGrammar, KeyedGrammar } from '../dialects/dialect.ts';
import { blanks, literal } from '../text/lookahead.ts';
import { giveUp } from './give-up.ts';
import { readObject } from './read-json.ts';
import { atEnd, look, skipBlanks } from './reading.ts';
import { readPythonValue } from './python-value.ts';

export function opensKeyed({ open }: KeyedGrammar, place: Place): Match {
  const bracket = literal(place, blanks(place, literal(place, 0, open)), '[');
  return bracket < 0 ? asMatch(bracket) : { length: bracket, isFramed: true };
}

export function* readKeyed({ open, close }: KeyedGrammar, block: Block): BlockReading {
  const { source } = block;
  const form: JsonGrammar = { kind: 'json', open, close, name: ['name'], input: ['arguments'] };
  for (;;) {
    const whole = source.record();
    yield* skipPunctuation(block, ',');
    if ((yield* atEnd(source)) || source.peek() === ']') break;
    if (source.peek() !== '{') return yield* giveUp(form, block, { reason: '{"name": {…}} should be here', whole });
    source.skip(1);
    const name = yield* readKey(block);
    if (name === undefined) return yield* giveUp(form, block, { reason: 'the name of a tool should be here', whole });
    if (source.peek() !== '{') {
      return yield* giveUp(form, block, { reason: 'the arguments must be a JSON object', whole, name });
    }
    whole.stop(); // of many calls, each would keep the text of all behind it
    if ((yield* readObject(form, block, { isBare: false, name })) !== 'call') return 'done';
    yield* skipPunctuation(block, '}');
  }
  source.skip(1);
  yield* skipBlanks(source);
  const end = yield* look(block, (view) => literal(view, 0, close));
  if (end > 0) source.skip(end);
  return 'done';
}

/** The key in quotation marks, and the colon behind it. */
function* readKey(block: Block): BlockReading<string | undefined> {
  const { source } = block;
  yield* skipBlanks(source);
  if (source.peek() !== '"') return undefined;
  const read = yield* readPythonValue(source);
  yield* skipPunctuation(block, ':');
  return 'value' in read && typeof read.value === 'string' && read.value !== '' ? read.value : undefined;
}

/** Blanks, and one of these signs if it is there. */
function* skipPunctuation({ source }: Block, sign: string): BlockReading<void> {
  yield* skipBlanks(source);
  if (source.peek() === sign) source.skip(1);
  yield* skipBlanks(source);
}
