import { callsOf, noUsage } from '@utensil/core';
import { getOrInsert } from '@utensil/core/provider';
import type { Finish, Message, Model, ModelInfo, ModelPart, ModelRequest, ToolChoice } from '@utensil/core';
import { longestCall } from './calls.ts';
import type { Dialect, Thoughts } from '../dialects/dialect.ts';
import { createEmitter } from './emit.ts';
import type { Emitter } from './emit.ts';
import { resultsOf, toTextHistory } from '../write/history.ts';
import { dialectFor, familyOf } from '../dialects/dialect-of-model.ts';
import { alone, lexiconOf } from '../scan/lexicon.ts';
import type { Lexicon } from '../scan/lexicon.ts';
import { dialects } from '../dialects/dialects.ts';
import type { DialectName } from '../dialects/dialects.ts';
import { promptFor } from '../write/prompt.ts';
import { scan } from '../scan/scan.ts';
import { isWaiting } from '../scan/scan-event.ts';
import type { ScanEvent } from '../scan/scan-event.ts';
import { createSource } from '../text/source.ts';
import type { Source } from '../text/source.ts';
import { indexTools } from '../read/tool-index.ts';

/** Options of {@link withTextTools}. */
export interface TextToolsOptions {
  /**
   * True for tools that only read. With it, reads may follow each other in a turn, any other tool ends the turn, and is
   * dropped if it comes after another call.
   */
  readonly reads?: (toolName: string) => boolean;
  /**
   * Tags around thoughts, or `false` if thoughts are text. With `isOpened`, the chat template writes the opening tag,
   * and a turn begins inside a thought. Default: the tags of the model's family.
   */
  readonly think?: readonly [open: string, close: string] | Thoughts | false;
  /**
   * True to keep lines of a chat template that separate turns, like `<|im_start|>assistant`, if a model writes them
   * into its answer. Default false: they are removed from its text, and stay in code and in calls.
   */
  readonly keepRoles?: boolean;
  /** Maximum number of characters in a call. Default 8,000,000. */
  readonly longestCall?: number;
}

/**
 * Lets a model call tools through text: describes them in its system prompt, writes calls and results of the history as
 * text, and parses calls from its output. `'auto'` reads every dialect, and writes that of the model's family; of a
 * list, the first is written, and all are read.
 *
 * @example
 * ```ts
 * import { scriptedModel } from '@utensil/core/testing';
 * import { withTextTools } from '@utensil/text-dialects';
 *
 * const inner = scriptedModel([{ text: 'I need no tool.' }]);
 * const model = withTextTools(inner, 'hermes');
 * console.log(model.info.api); // text
 * ```
 */
export function withTextTools(
  model: Model,
  dialect: DialectName | 'auto' | Dialect | readonly Dialect[] = 'auto',
  options: TextToolsOptions = {},
): Model {
  const isAuto = dialect === 'auto';
  const spoken = dialectsOf(dialect, model.info.id);
  const thoughts = thoughtsOf(options.think, spoken[0], model.info.id);
  const lexicon = lexiconOf(spoken, thoughts);
  const reading = { model, dialect: spoken[0], lexicon, isAuto, options };
  return {
    info: infoInText(model.info),
    stream: (request, { signal }) => streamText({ ...reading, request, signal }),
  };
}

const usual: Thoughts = { open: '<think>', close: '</think>' };
const opened = new WeakMap<Thoughts, Thoughts>();

function thoughtsOf(given: TextToolsOptions['think'], dialect: Dialect, modelId: string): Thoughts | false {
  if (given === false) return false;
  if (given === undefined) {
    const { thoughts = usual } = dialect;
    return familyOf(modelId)?.opensThoughts === true
      ? getOrInsert(opened, thoughts, () => ({ ...thoughts, isOpened: true }))
      : thoughts;
  }
  return 'open' in given ? given : { open: given[0], close: given[1] };
}

/** Nothing searches deferred tools in a text, whatever the model's own API can; and an answer that must be JSON can call nothing. */
function infoInText({ supports, ...info }: ModelInfo): ModelInfo {
  if (supports === undefined) return { ...info, api: 'text' };
  const { partOptions: _, ...rest } = supports;
  const { responseFormat: __, ...settings } = supports.settings ?? {};
  return { ...info, api: 'text', supports: { ...rest, deferredTools: false, settings } };
}

type Spoken = readonly [Dialect, ...Dialect[]];

/** In `auto`, a call in a code fence is an example, whatever the label. */
const unfenced: readonly Dialect[] = Object.values<Dialect>(dialects).map((each) => ({ ...each, fences: [] }));

const lists = new Map<DialectName, Spoken>();

function automatic(name: DialectName): Spoken {
  const known = lists.get(name);
  if (known !== undefined) return known;
  const own = unfenced.find((each) => each.name === name) ?? dialects[name];
  const others = unfenced.filter((each) => each !== own && each.inAuto !== false).map(withoutRests);
  const list: Spoken = [own, ...others];
  lists.set(name, list);
  return list;
}

function withoutRests(dialect: Dialect): Dialect {
  const { also = [] } = dialect;
  const kept = also.filter((grammar) => !('isRest' in grammar));
  return kept.length === also.length ? dialect : { ...dialect, also: kept };
}

/** The dialects that are read, of which the first is written. */
export function dialectsOf(given: NonNullable<Parameters<typeof withTextTools>[1]>, modelId: string): Spoken {
  if (given === 'auto') return automatic(dialectFor(modelId));
  if (typeof given === 'string') return alone(dialects[given]);
  if ('name' in given) return alone(given);
  const [first, ...rest] = given;
  if (first === undefined) throw new TypeError('withTextTools needs at least one dialect.');
  return [first, ...rest];
}

interface Streaming {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  /** The dialect that is written. */
  readonly dialect: Dialect;
  readonly lexicon: Lexicon;
  readonly isAuto: boolean;
  readonly options: TextToolsOptions;
}

async function* streamText(streaming: Streaming): AsyncGenerator<ModelPart, void, undefined> {
  const { model, request, signal, dialect } = streaming;
  const inner = toInner(request, dialect);
  if (!speaksOfTools(request)) {
    yield* model.stream(inner, { signal });
    return;
  }
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  const turn = createTurn(streaming);
  let isFinished = false;
  try {
    for await (const part of model.stream(inner, { signal: controller.signal })) {
      for (const each of turn.take(part)) yield each;
      isFinished ||= part.type === 'finish';
      if (turn.isOver && !isFinished) controller.abort(new Error('The turn is complete.'));
    }
  } catch (error) {
    if (!turn.isOver || signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  if (turn.isOver && !isFinished) yield* turn.take({ type: 'finish', reason: 'tool-calls', usage: noUsage });
}

/** Without tools, now and before, text is only text. */
function speaksOfTools({ tools, messages }: ModelRequest): boolean {
  return tools.length > 0 || messages.some((message) => callsOf(message).length > 0);
}

/** The request as the model gets it: all in text. */
function toInner(request: ModelRequest, dialect: Dialect): ModelRequest {
  const { parallel: _1, responseFormat: _2, ...rest } = request;
  const prompt = promptFor(dialect, request.tools);
  const messages = toTextHistory(request.messages, dialect, indexTools(request.tools));
  return {
    ...rest,
    system: [request.system, prompt].filter((text) => text !== '').join('\n\n'),
    messages: withDemand(messages, request.toolChoice),
    tools: [],
    toolChoice: 'auto',
  };
}

/** A required call is requested at the very end, so that the prefix of requests stays the same. */
function withDemand(messages: readonly Message[], choice: ToolChoice): readonly Message[] {
  if (choice === 'auto' || choice === 'none') return messages;
  const last = messages.at(-1);
  const text = choice === 'required' ? 'Call a tool now.' : `Call the tool "${choice.tool}" now.`;
  if (last?.role !== 'user') return messages;
  return [...messages.slice(0, -1), { ...last, parts: [...last.parts, { type: 'text', text: `\n\n${text}` }] }];
}

interface TextTurn {
  readonly isOver: boolean;
  take(part: ModelPart): readonly ModelPart[];
}

function createTurn({ request, dialect, lexicon, isAuto, options }: Streaming): TextTurn {
  const source = createSource();
  let isCut = false;
  let isSeparated = false; // the server tells thoughts from text itself
  const events = scan(source, {
    lexicon,
    tools: indexTools(request.tools),
    longest: options.longestCall ?? longestCall,
    hidesRoles: options.keepRoles !== true,
    isOpened: () => lexicon.thoughts[0]?.isOpened === true && !isSeparated && request.reasoning !== 'none',
    isCut: () => isCut,
  });
  const emitter = createEmitter({
    prefix: idPrefix(request.messages),
    isSingle: request.parallel === false,
    reads: options.reads,
    asked: dialect,
    isInResult: resultsOf(request.messages),
    ...(isAuto && { spoken: dialect }),
  });

  function finish(part: Finish): readonly ModelPart[] {
    isCut = part.reason === 'length';
    if (!emitter.isOver) source.end();
    const parts = emitter.isOver ? [] : drain(source, events, emitter);
    parts.push(...emitter.end());
    const { state: _, ...rest } = part; // of a text that no message has verbatim
    const isCalling = emitter.calls > 0 && (part.reason === 'stop' || emitter.isOver);
    parts.push(isCalling ? { ...rest, reason: 'tool-calls' } : rest);
    return parts;
  }

  return {
    get isOver() {
      return emitter.isOver;
    },
    take(part) {
      if (part.type === 'finish') return finish(part);
      if (emitter.isOver) return [];
      if (part.type === 'text-delta') {
        source.append(part.text);
        return drain(source, events, emitter);
      }
      isSeparated ||= part.type === 'reasoning-delta';
      return [part];
    },
  };
}

/** The parts that are certain so far, with consecutive texts merged. */
function drain(
  source: Source,
  events: Generator<ScanEvent | undefined, void, undefined>,
  emitter: Emitter,
): ModelPart[] {
  const drained: ModelPart[] = [];
  let text = '';
  while (!emitter.isOver) {
    const { done, value: event } = events.next();
    if (event !== undefined) {
      for (const part of emitter.emit(event)) {
        if (part.type === 'text-delta') {
          text += part.text;
          continue;
        }
        if (text !== '') drained.push({ type: 'text-delta', text });
        text = '';
        drained.push(part);
      }
    }
    if (done === true || (isWaiting(event) && !source.isEnded)) break;
  }
  if (text !== '') drained.push({ type: 'text-delta', text });
  return drained;
}

/** `tool-3-` for the calls of the third answer: unique in a conversation, and the same each time. */
function idPrefix(messages: readonly Message[]): string {
  const ids = messages.flatMap((message) => callsOf(message).map(({ callId }) => callId));
  const taken = new Set(ids.map((id) => id.slice(0, id.lastIndexOf('-')))); // the first of an answer may not be a call
  let count = messages.filter(({ role }) => role === 'assistant').length + 1;
  while (taken.has(`tool-${count}`)) count++;
  return `tool-${count}-`;
}
