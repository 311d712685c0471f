import { noUsage } from '@utensil/core';
import type { FinishReason, FunctionDefinition, JsonSchema, Model, ModelPart, ModelRequest } from '@utensil/core';
import type { Dialect } from '../dialects/dialect.ts';
import { dialects } from '../dialects/dialects.ts';
import type { DialectName } from '../dialects/dialects.ts';
import { withTextTools } from '../model/with-text-tools.ts';
import type { TextToolsOptions } from '../model/with-text-tools.ts';

// Helpers that the tests of this package share; the name keeps them from being run or published.

export function tool(
  name: string,
  properties: Record<string, JsonSchema>,
  required: readonly string[] = [],
): FunctionDefinition {
  return {
    type: 'function',
    name,
    description: `The tool ${name}.`,
    inputSchema: { type: 'object', properties, required },
  };
}

export const tools: readonly FunctionDefinition[] = [
  tool('read_file', { path: { type: 'string', description: 'Which file.' }, limit: { type: 'integer', default: 10 } }, [
    'path',
  ]),
  tool('search', {
    query: { type: 'string' },
    paths: { type: 'array', items: { type: 'string' } },
    deep: { type: 'boolean' },
    weight: { type: 'number' },
    mode: { enum: ['fast', 'exact'] },
    filter: { type: 'object', properties: { size: { type: 'integer' }, name: { type: 'string' } } },
    counts: { type: 'array', items: { type: 'integer' } },
    any: {},
    maybe: { type: ['string', 'null'] },
  }),
  tool('write_file', { path: { type: 'string' }, content: { type: 'string' } }, ['path', 'content']),
  tool('clock', {}),
];

export const presetNames = Object.keys(dialects) as readonly DialectName[];

/** A model that streams these texts, and remembers what it was asked and when it was stopped. */
export interface TextModel extends Model {
  readonly requests: ModelRequest[];
  read: number;
  wasAborted: boolean;
}

export function textModel(
  chunks: readonly string[],
  { reason = 'stop', id = 'some-model' }: { readonly reason?: FinishReason; readonly id?: string } = {},
): TextModel {
  const model: TextModel = {
    info: { api: 'test', id },
    requests: [],
    read: 0,
    wasAborted: false,
    async *stream(request, { signal }): AsyncGenerator<ModelPart> {
      model.requests.push(request);
      for (const text of chunks) {
        if (signal.aborted) {
          model.wasAborted = true;
          throw new Error('aborted');
        }
        model.read++;
        yield { type: 'text-delta', text };
      }
      yield { type: 'finish', reason, usage: { ...noUsage, outputTokens: chunks.length } };
    },
  };
  return model;
}

export function requestOf(change: Partial<ModelRequest> = {}): ModelRequest {
  return { system: '', messages: [], tools, toolChoice: 'auto', ...change };
}

export interface Asked {
  readonly dialect?: DialectName | 'auto' | Dialect | readonly Dialect[];
  readonly options?: TextToolsOptions;
  readonly request?: Partial<ModelRequest>;
  readonly reason?: FinishReason;
  /** The id of the model. */
  readonly id?: string;
}

/** The parts of a turn that streams these texts. */
export async function partsOf(chunks: readonly string[], asked: Asked = {}): Promise<ModelPart[]> {
  const { dialect = 'auto', options = {}, request = {}, reason = 'stop', id = 'some-model' } = asked;
  const model = withTextTools(textModel(chunks, { reason, id }), dialect, options);
  const parts: ModelPart[] = [];
  for await (const part of model.stream(requestOf(request), { signal: new AbortController().signal })) parts.push(part);
  return parts;
}

/** Parts with deltas that follow each other as one. */
export function merged(parts: readonly ModelPart[]): ModelPart[] {
  const result: ModelPart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.type === 'finish') continue;
    if (part.type === 'text-delta' && last?.type === 'text-delta')
      result[result.length - 1] = { ...last, text: last.text + part.text };
    else if (part.type === 'reasoning-delta' && last?.type === 'reasoning-delta')
      result[result.length - 1] = { ...last, text: last.text + part.text };
    else if (part.type === 'tool-input-delta' && last?.type === 'tool-input-delta')
      result[result.length - 1] = { ...last, delta: last.delta + part.delta };
    else result.push(part);
  }
  return result;
}

export function textIn(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
}

export function callsIn(parts: readonly ModelPart[]): { name: string; input: object; invalidInput?: string }[] {
  return parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            name: part.name,
            input: part.input,
            ...(part.invalidInput !== undefined && { invalidInput: part.invalidInput }),
          },
        ]
      : [],
  );
}

export function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}

/** The parts of a text, which are the same wherever it is cut: at each character, and at all of them. */
export async function partsAtEachCut(text: string, asked: Asked = {}): Promise<ModelPart[]> {
  const parts = merged(await partsOf([text], asked));
  const whole = JSON.stringify(parts);
  const cuts = [...Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]), cut(text, 1)];
  for (const chunks of cuts) {
    const found = JSON.stringify(merged(await partsOf(chunks, asked)));
    if (found !== whole) throw new Error(`Cut as ${JSON.stringify(chunks)}, the parts are\n${found}\nnot\n${whole}`);
  }
  return parts;
}
