import type { Fetch } from '@utensil/core';
import type { Engine } from './engine.ts';

/** A message of the conversation with the service. */
export interface AnswerMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A source page of an answer. */
export interface AnswerSource {
  readonly url: string;
  readonly title?: string;
}

/** An answer. Its texts are untrusted: the tool sanitizes and shortens them. */
export interface Answer {
  readonly text: string;
  /** In citation order: `[1]` is the first. */
  readonly sources: readonly AnswerSource[];
}

/** Context of a question. */
export interface AnswerContext {
  /** Network access. */
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** The user's choice among the provider's `models`. */
  readonly model?: string;
  /** The user's key, if the provider `needs` one. */
  readonly key?: string;
  /** The address set by the user, if the provider `needs` one. */
  readonly address?: string;
}

/** A service that searches the web and writes an answer. */
export interface AnswerProvider extends Engine {
  /** Models for the user to choose from; the first is the default. */
  readonly models?: readonly string[];
  /** Answers the last of these messages. Throws on failure. */
  answer(messages: readonly AnswerMessage[], context: AnswerContext): Promise<Answer>;
}
