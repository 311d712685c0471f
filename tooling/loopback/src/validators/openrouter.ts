import { type ChatDialect, chatMembers, chatRules } from './openai-chat.ts';
import { type Rule, type Validator, duplicate, first, list, problemOf, refusal } from './rules.ts';

const isOwnTool = (type: unknown): boolean => String(type).startsWith('openrouter:');

const dialect: ChatDialect = {
  members: [
    ...chatMembers,
    ...['cache_control', 'include_reasoning', 'models', 'plugins', 'provider', 'reasoning', 'repetition_penalty'],
    ...['route', 'session_id', 'top_a', 'top_k', 'min_p', 'trace', 'transforms', 'usage'],
  ],
  idLimit: Number.POSITIVE_INFINITY,
  toolLimit: Number.POSITIVE_INFINITY,
  resultParts: ['text', 'image_url', 'input_audio', 'file'],
  isOwnTool,
};

const hasWholeReasoning: Rule = ({ messages }) =>
  first(list(messages), ({ reasoning_details: details }) => {
    const places = list(details).flatMap(({ type, index }) => (type === 'reasoning.text' ? [index] : []));
    const known = /^reasoning\.(?:text|summary|encrypted|server_tool_call)$/;
    if (!list(details).every(({ type }) => known.test(String(type)))) return 'Invalid reasoning_details: unknown type';
    // The fragments of a stream have to be one block again.
    return duplicate(places.filter((place) => place !== undefined)) === undefined
      ? undefined
      : 'messages: Invalid `signature` in `thinking` block';
  });

const keepsReasoning: Rule = ({ model, messages }) =>
  first(list(messages), ({ tool_calls: calls, reasoning_details: details }) =>
    String(model).startsWith('google/gemini-3') && list(calls).length > 0 && list(details).length === 0
      ? 'Gemini models require OpenRouter reasoning details to be preserved in each request.'
      : undefined,
  );

const rules: readonly Rule[] = [...chatRules(dialect), hasWholeReasoning, keepsReasoning];

/** Answers a request of OpenRouter's Chat Completions as OpenRouter does, where it refuses it. */
export const refuseOpenRouter: Validator = (body) => {
  const message = problemOf(body, rules);
  return message === undefined
    ? undefined
    : refusal(400, { error: { code: 400, message, metadata: { error_type: 'invalid_request' } } });
};
