import type { Fetch } from '@utensil/core';
import type { Engine } from './engine.ts';

/** What was said so far. */
export interface AnswerMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A page that an answer is from. */
export interface AnswerSource {
  readonly url: string;
  readonly title?: string;
}

/** An answer. Its texts are of strangers: the tool cleans and shortens them. */
export interface Answer {
  readonly text: string;
  /** In the order in which the text cites them: `[1]` is the first. */
  readonly sources: readonly AnswerSource[];
}

/** Circumstances of a question. */
export interface AnswerContext {
  /** What reaches the web. */
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** Which of its `models` is to answer, as the user chose. */
  readonly model?: string;
  /** The user's key, where the provider `needs` one. */
  readonly key?: string;
  /** The address that the user has set, where the provider `needs` one. */
  readonly address?: string;
}

/** A service that searches the web and answers in its own words. */
export interface AnswerProvider extends Engine {
  /** The models that the user can choose from; the first is the default. */
  readonly models?: readonly string[];
  /** The answer to the last of these messages. To fail, throw. */
  answer(messages: readonly AnswerMessage[], context: AnswerContext): Promise<Answer>;
}
