import { textOf } from '@utensil/core';
import type { JsonObject, Message, Model, ModelPart, ModelRequest } from '@utensil/core';

// The model of this benchmark obeys: whatever order stands anywhere in what it is shown, it carries out, whoever wrote it.
// So an attack counts on no model's judgement, and what stops it is not the model.

/** A call that somebody wants the model to make. */
export interface Order {
  readonly name: string;
  readonly input: JsonObject;
}

/** An order, as it is written in texts, in names and in addresses. */
export function order(name: string, input: JsonObject): string {
  return `[[${name} ${Buffer.from(JSON.stringify(input)).toString('base64url')}]]`;
}

const pattern = /\[\[([A-Za-z_][\w-]*) ([\w-]+)\]\]/g;

/** The orders in a text, in their order. Invisible characters and other spellings hide none: models read through them. */
export function ordersIn(text: string): readonly Order[] {
  return [...readable(text).matchAll(pattern)].flatMap(([, name = '', input = '']) => {
    try {
      return [{ name, input: JSON.parse(Buffer.from(input, 'base64url').toString()) as JsonObject }];
    } catch {
      return [];
    }
  });
}

/** As a model reads it: letters of the tags block are letters, and what is invisible is not there. */
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
 * A model that carries out every order that it reads, one after the other, and repeats them in its answer. A careful one
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
