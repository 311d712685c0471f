import type {
  BrowserAvailability,
  CreateOptions,
  Prompt,
  PromptApi,
  PromptChunk,
  PromptSession,
} from '../prompt-api.ts';

// A fake: our tests do not run in a browser with a model. It follows the explainer of the Prompt API for sessions,
// tokens, overflow, aborts and downloads; a token is four characters here.

/** Behaviour of the fake, and the requests that it received. */
export interface FakeLanguageModel extends PromptApi {
  readonly asked: { readonly input: readonly Prompt[]; readonly options: Readonly<Record<string, unknown>> }[];
  readonly created: CreateOptions[];
  readonly sessions: FakeSession[];
  availabilityNow: BrowserAvailability;
  /** The page was clicked a moment ago: a download may begin. */
  isClicked: boolean;
}

export interface FakeSession extends PromptSession {
  readonly isDestroyed: boolean;
}

/** The pieces of each answer, or the error that is thrown instead. */
export type FakeAnswer = readonly PromptChunk[] | Error | 'never ends';

export interface FakeOptions {
  /** In tokens. */
  readonly contextWindow?: number;
  /** Names of extensions before 2026. */
  readonly hasOldNames?: boolean;
}

export function fakeLanguageModel(answers: readonly FakeAnswer[], options: FakeOptions = {}): FakeLanguageModel {
  let answered = 0;
  const fake: FakeLanguageModel = {
    asked: [],
    created: [],
    sessions: [],
    availabilityNow: 'available',
    isClicked: false,
    availability: async () => fake.availabilityNow,
    async create(wanted = {}) {
      fake.created.push(wanted);
      if (fake.availabilityNow === 'unavailable') throw exception('NotSupportedError', 'The device has no model.');
      if (fake.availabilityNow === 'downloadable') await download(fake, wanted);
      if (wanted.signal?.aborted === true) throw wanted.signal.reason;
      const session = fakeSession(wanted, { fake, next: () => answers[answered++] ?? [], ...options });
      fake.sessions.push(session);
      return session;
    },
  };
  return fake;
}

async function download(fake: FakeLanguageModel, { monitor }: CreateOptions): Promise<void> {
  if (!fake.isClicked)
    throw exception('NotAllowedError', 'Requires a user gesture when availability is "downloadable".');
  const listeners: ((event: { readonly loaded: number }) => void)[] = [];
  monitor?.({ addEventListener: (_, listener) => void listeners.push(listener) });
  for (const loaded of [0, 0.5, 1]) for (const listener of listeners) listener({ loaded });
  fake.availabilityNow = 'available';
}

export function exception(name: string, message: string): Error {
  return name === 'TypeError' ? new TypeError(message) : new DOMException(message, name);
}

const tokensOf = (text: string): number => Math.ceil(text.length / 4);

function measured(input: readonly Prompt[]): number {
  return tokensOf(
    input
      .map(({ content }) => (typeof content === 'string' ? content : content.map(({ value }) => value).join('')))
      .join(''),
  );
}

async function aborted(signal: AbortSignal | undefined): Promise<never> {
  if (signal?.aborted !== true)
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
  throw signal?.reason;
}

interface Within extends FakeOptions {
  readonly fake: FakeLanguageModel;
  next(): FakeAnswer;
}

function fakeSession(
  wanted: CreateOptions,
  { fake, next, contextWindow = Infinity, hasOldNames }: Within,
): FakeSession {
  const { initialPrompts = [] } = wanted;
  if (initialPrompts.slice(1).some(({ role }) => role === 'system'))
    throw new TypeError('A system prompt comes first.');
  const initial = measured(initialPrompts);
  if (initial > contextWindow) throw exception('QuotaExceededError', 'The initial prompts are too large.');
  const turns: number[] = [];
  const listeners: (() => void)[] = [];
  let isDestroyed = false;
  const usage = (): number => initial + turns.reduce((sum, tokens) => sum + tokens, 0);
  wanted.signal?.addEventListener('abort', () => void (isDestroyed = true));

  function makeRoom(tokens: number): void {
    if (initial + tokens > contextWindow) throw exception('QuotaExceededError', 'The input is too large.');
    let isOver = false;
    for (; usage() + tokens > contextWindow; isOver = true) turns.shift();
    if (isOver) for (const listener of listeners) listener();
  }

  async function* answer(input: readonly Prompt[], signal: AbortSignal | undefined): AsyncGenerator<PromptChunk> {
    if (isDestroyed) throw exception('InvalidStateError', 'The model execution session has been destroyed.');
    makeRoom(measured(input));
    const chunks = next();
    if (chunks instanceof Error) throw chunks;
    let text = '';
    for (const chunk of chunks === 'never ends' ? ['It '] : chunks) {
      await Promise.resolve();
      if (signal?.aborted === true) throw signal.reason;
      text += typeof chunk === 'string' ? chunk : '';
      yield chunk;
    }
    if (chunks === 'never ends') await aborted(signal);
    makeRoom(measured(input) + tokensOf(text));
    turns.push(measured(input) + tokensOf(text));
  }

  const session = {
    get isDestroyed() {
      return isDestroyed;
    },
    get [hasOldNames === true ? 'inputUsage' : 'contextUsage']() {
      return usage();
    },
    [hasOldNames === true ? 'inputQuota' : 'contextWindow']: contextWindow,
    [hasOldNames === true ? 'measureInputUsage' : 'measureContextUsage']: async (input: Prompt[]) => measured(input),
    addEventListener: (_: 'contextoverflow', listener: () => void) => void listeners.push(listener),
    promptStreaming(input: Prompt[], options: Readonly<Record<string, unknown>> = {}) {
      fake.asked.push({ input, options });
      return answer(input, options['signal'] as AbortSignal | undefined);
    },
    destroy: () => void (isDestroyed = true),
  };
  return session;
}
