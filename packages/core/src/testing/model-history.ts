import type { ContentPart, Message, Part, ToolCallPart } from '../model/message.ts';
import { randomPick } from './files-model.ts';
import { resultOf, user } from './model-kit.ts';

const texts = ['', ' \n', 'Hello.', 'Größe: \u{1f4cf}', 'cut \ud83d', 'trailing \n'];

const media: readonly ContentPart[] = [
  { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
  { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2Zy8+' },
  { type: 'file', mediaType: 'application/zip', name: 'a.zip', data: 'UEsDBA==' },
  { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', data: 'JVBERi0=' },
  { type: 'file', mediaType: 'text/plain', data: 'w6Q=' },
  { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==' },
  { type: 'audio', mediaType: 'text/html', name: 'a.html', data: 'no base64' },
  { type: 'resource-link', uri: 'javascript:alert(1)\u202e', name: 'a\n"b' },
];

const names = ['read', 'now', 'no name', 'gone.too', `x${'y'.repeat(80)}`];

const ids = ['call_', 'toolu|', 'functions.read:', `${'0123456789abcdef'.repeat(5)}-`];

/**
 * A random thread, the same for the same seed: turns of every kind, with calls that were answered, had invalid JSON, or
 * ran elsewhere. The last message is the user's. `own` is a turn written by the model itself.
 */
export function randomHistory(seed: number, own: Message): readonly Message[] {
  const pick = randomPick(seed);
  const one = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item;
  const some = <Item>(most: number, make: (index: number) => Item): Item[] =>
    Array.from({ length: pick(most + 1) }, (_, index) => make(index));
  const content = (): ContentPart => (pick(3) === 0 ? one(media) : { type: 'text', text: one(texts) });

  function toCall(turn: number, index: number): ToolCallPart {
    const call = {
      type: 'tool-call',
      callId: `${one(ids)}${turn}.${index}`,
      name: one(names),
      input: pick(2) === 0 ? {} : { path: one(texts) },
      executedBy: pick(4) === 0 ? 'provider' : 'us',
    } as const;
    return pick(5) === 0 ? { ...call, input: {}, invalidInput: '{"path": oops' } : call;
  }

  function toResults({ parts }: Message): readonly Message[] {
    const calls = parts.filter((part): part is ToolCallPart => part.type === 'tool-call' && part.executedBy === 'us');
    const answered = calls.filter(() => pick(3) > 0);
    return answered.map((call) => {
      const modelParts = some(2, content);
      const whole: readonly ContentPart[] = modelParts.length > 0 ? modelParts : [{ type: 'text', text: '' }];
      return resultOf(call, { modelParts: whole, isError: pick(3) === 0 });
    });
  }

  function toTurn(turn: number): readonly Message[] {
    if (pick(3) === 0) return [{ ...user(''), id: `m${turn}`, parts: some(2, content) }];
    const thought: readonly Part[] = pick(3) === 0 ? [{ type: 'reasoning', text: one(texts) }] : [];
    const shown: readonly Part[] = some(2, () => ({ type: 'text', text: one(texts) }) as const);
    const parts = [...thought, ...shown, ...some(3, (index) => toCall(turn, index))];
    const written: Message = { id: `m${turn}`, role: 'assistant', parts, createdAt: 0 };
    return [written, ...toResults(written)];
  }

  const turns = Array.from({ length: 1 + pick(6) }, (_, turn) => toTurn(turn));
  const place = pick(turns.length + 1);
  // an app may have removed calls from a model's message
  const kept = { ...own, parts: own.parts.filter((part) => part.type !== 'tool-call' || pick(3) > 0) };
  const written = pick(3) === 0 ? [] : [kept, ...toResults(kept)];
  return [user('Begin.'), ...turns.slice(0, place).flat(), ...written, ...turns.slice(place).flat(), user('Go on.')];
}
