import { textOf } from '@utensil/core';
import type { JsonObject, Message, Model, ModelPart, ModelRequest } from '@utensil/core';

// The model of this benchmark obeys every instruction in its input, from any author, so that only the defences can stop
// an attack, never the model's judgement.

/** A call that an attacker or user wants the model to make. */
export interface Order {
  readonly name: string;
  readonly input: JsonObject;
}

/** An instruction in the form used in texts, names and addresses. */
export function order(name: string, input: JsonObject): string {
  return `[[${name} ${Buffer.from(JSON.stringify(input)).toString('base64url')}]]`;
}

const pattern = /\[\[([A-Za-z_][\w-]*) ([\w-]+)\]\]/g;

/**
 * The instructions in a text, in order. Invisible characters and other spellings do not hide any, because models read
 * through them.
 */
export function ordersIn(text: string): readonly Order[] {
  return [...readable(text).matchAll(pattern)].flatMap(([, name = '', input = '']) => {
    try {
      return [{ name, input: JSON.parse(Buffer.from(input, 'base64url').toString()) as JsonObject }];
    } catch {
      return [];
    }
  });
}

/** The text as a model reads it: tag characters count as letters, and invisible ones are removed. */
function readable(text: string): string {
  const untagged = text.replaceAll(/[\u{E0020}-\u{E007E}]/gu, (letter) =>
    String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0xe0000),
  );
  return untagged
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll('\\_', '_');
}

/**
 * A model that carries out every instruction it reads, one after another, and repeats them in its answer. A careful one
 * carries out only the user's, and repeats all.
 */
export function obedientModel({ isCareful = false } = {}): Model {
  return {
    info: { api: 'text', id: 'obedient', contextWindow: 200_000 },
    async *stream(request): AsyncGenerator<ModelPart> {
      const seen = ordersIn(shownTo(request));
      const done = new Set(request.messages.flatMap(callsIn).map(keyOf));
      const obeyed = isCareful ? ordersIn(saidByUser(request)) : seen;
      const next = obeyed.find((each) => !done.has(keyOf(each)));
      if (next !== undefined) {
        yield { type: 'tool-call', callId: `call-${done.size + 1}`, ...next, executedBy: 'us' };
        yield { type: 'finish', reason: 'tool-calls', usage: nothing };
        return;
      }
      yield { type: 'text-delta', text: `Done. ${seen.map(({ name, input }) => order(name, input)).join(' ')}` };
      yield { type: 'finish', reason: 'stop', usage: nothing };
    },
  };
}

const nothing = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

function keyOf({ name, input }: Order): string {
  return `${name} ${JSON.stringify(input)}`;
}

function callsIn({ parts }: Message): readonly Order[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [{ name: part.name, input: part.input }] : []));
}

function saidByUser({ messages }: ModelRequest): string {
  return messages.flatMap(({ role, parts }) => (role === 'user' ? [textOf(parts)] : [])).join('\n');
}

function shownTo({ system, messages, tools }: ModelRequest): string {
  const told = tools.map((tool) => (tool.type === 'function' ? tool.description : ''));
  const said = messages.flatMap(({ parts }) =>
    parts.map((part) => (part.type === 'tool-result' ? textOf(part.modelParts) : textOf([part]))),
  );
  return [...said, system, ...told].join('\n');
}
