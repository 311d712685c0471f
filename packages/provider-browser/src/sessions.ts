import type { CoreOptions, CreateOptions, Prompt, PromptApi, PromptSession } from './prompt-api.ts';

/** A session, and the messages that it has not received yet. */
export interface Taken {
  readonly session: PromptSession;
  readonly news: readonly Prompt[];
  /** The session dropped messages since it was made: it does not know the conversation any more. */
  readonly hasOverflown: () => boolean;
}

/** The sessions of a model: a turn that continues the last one reuses its session. */
export interface Sessions {
  take(conversation: Conversation, signal: AbortSignal): Promise<Taken>;
  /** A turn is whole: its session knows the conversation, and the answer. */
  keep(taken: Taken, conversation: Conversation, answer: string): void;
}

/** Messages that precede the prompt. */
export interface Conversation {
  readonly system: string;
  readonly prompts: readonly Prompt[];
}

interface Kept extends Taken {
  readonly system: string;
  readonly heard: readonly Prompt[];
}

/** Options of new sessions. */
export interface SessionOptions extends CoreOptions {
  readonly onDownload?: ((progress: number) => void) | undefined;
}

export function createSessions(api: PromptApi, options: SessionOptions): Sessions {
  const { onDownload, ...core } = options;
  let kept: Kept | undefined;

  async function create(system: string, signal: AbortSignal): Promise<PromptSession> {
    const controller = new AbortController(); // the signal of a session ends the session, and a turn ends sooner
    const forward = (): void => controller.abort(signal.reason);
    if (signal.aborted) forward();
    signal.addEventListener('abort', forward, { once: true });
    const wanted: CreateOptions = {
      ...core,
      signal: controller.signal,
      ...(system !== '' && { initialPrompts: [{ role: 'system', content: system }] }),
      ...(onDownload !== undefined && {
        monitor: (monitor) => monitor.addEventListener('downloadprogress', ({ loaded }) => onDownload(loaded)),
      }),
    };
    try {
      return await api.create(wanted);
    } finally {
      signal.removeEventListener('abort', forward);
    }
  }

  return {
    async take({ system, prompts }, signal) {
      const last = kept;
      kept = undefined; // it belongs to this turn now: another one at the same time has its own
      if (last !== undefined) {
        const { heard } = last;
        const continues = last.system === system && heard.length < prompts.length;
        if (continues && heard.every((prompt, index) => isSame(prompt, prompts[index]))) {
          return { ...last, news: prompts.slice(heard.length) };
        }
        last.session.destroy();
      }
      const session = await create(system, signal);
      let isOverflown = false;
      session.addEventListener?.('contextoverflow', () => void (isOverflown = true));
      return { session, news: prompts, hasOverflown: () => isOverflown };
    },
    keep(taken, { system, prompts }, answer) {
      kept?.session.destroy();
      kept = { ...taken, system, heard: [...prompts, { role: 'assistant', content: answer }] };
    },
  };
}

function isSame(one: Prompt, other: Prompt | undefined): boolean {
  if (other === undefined || one.role !== other.role) return false;
  if (typeof one.content === 'string' || typeof other.content === 'string') return one.content === other.content;
  const [own, their] = [one.content, other.content];
  return own.length === their.length && own.every((each, index) => isSameContent(each.value, their[index]?.value));
}

function isSameContent(one: string | Uint8Array, other: string | Uint8Array | undefined): boolean {
  if (typeof one === 'string' || typeof other === 'string' || other === undefined) return one === other;
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
