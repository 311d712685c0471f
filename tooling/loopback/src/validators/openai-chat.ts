import {
  atLeast,
  countProblem,
  effortProblem,
  functionProblem,
  hasMembers,
  hasSampling,
  nameProblem,
  needsTools,
  openaiValidator,
  partsProblem,
  tooLong,
} from './openai.ts';
import { type Fields, type Rule, duplicate, fields, first, isText, isWellFormed, list } from './rules.ts';

/** The members of a request of the Chat Completions API. */
export const chatMembers = [
  ...['messages', 'model', 'audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs'],
  ...['max_completion_tokens', 'max_tokens', 'metadata', 'modalities', 'moderation', 'n', 'parallel_tool_calls'],
  ...['prediction', 'presence_penalty', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['reasoning_effort', 'response_format', 'safety_identifier', 'seed', 'service_tier', 'stop', 'store', 'stream'],
  ...['stream_options', 'temperature', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'user', 'verbosity'],
  ...['web_search_options'],
];

/** What differs between the servers that speak this API. */
export interface ChatDialect {
  readonly members: readonly string[];
  /** Of a call, in characters. */
  readonly idLimit: number;
  readonly toolLimit: number;
  /** Of what a tool's result may be made. */
  readonly resultParts: readonly string[];
  /** Types of tools that the server runs itself. */
  readonly isOwnTool: (type: unknown) => boolean;
}

const contents: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
};

const hasMessages: Rule = ({ messages }) => {
  if (!Array.isArray(messages)) return "Missing required parameter: 'messages'.";
  return messages.length > 0
    ? undefined
    : "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
};

const hasContent =
  (resultParts: readonly string[]): Rule =>
  ({ messages }) =>
    first(list(messages), (message, index) => {
      const { role, content, tool_calls: calls } = message;
      const place = `messages[${index}].content`;
      const types = role === 'tool' ? resultParts : contents[String(role)];
      if (types === undefined)
        return `Invalid value: '${String(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`;
      if (role === 'assistant' && Array.isArray(calls) && (content === null || content === undefined)) return undefined;
      return (
        partsProblem(place, content, types) ??
        first(Array.isArray(content) ? list(content) : [], (part, at) => mediaProblem(part, `${place}[${at}]`))
      );
    });

function mediaProblem({ type, image_url: image, file }: Fields, place: string): string | undefined {
  if (type === 'image_url' && !/^(?:https?:|data:image\/)/.test(String(fields(image)['url'])))
    return `Invalid '${place}.image_url.url': expected a URL or a data URL of an image.`;
  if (type !== 'file') return undefined;
  const { file_id: id, file_data: data, filename } = fields(file);
  return isText(id) || (isText(data) && isText(filename))
    ? undefined
    : `Missing required parameter: '${place}.file.file_id'.`;
}

const hasCalls =
  (idLimit: number): Rule =>
  ({ messages }) =>
    first(list(messages), ({ role, tool_calls: calls }, index) => {
      if (calls === undefined || calls === null) return undefined;
      const place = `messages[${index}].tool_calls`;
      if (role !== 'assistant') return `Invalid value for '${place}': only messages of the assistant have calls.`;
      if (!Array.isArray(calls) || calls.length === 0)
        return `Invalid '${place}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
      return (
        first(list(calls), (call, at) => callProblem(call, `${place}[${at}]`, idLimit)) ??
        (duplicate(list(calls).map(({ id }) => id)) === undefined
          ? undefined
          : `Invalid value for '${place}': ids of calls must be unique.`)
      );
    });

function callProblem(
  { id, type, function: called, custom }: Fields,
  place: string,
  idLimit: number,
): string | undefined {
  const long = tooLong(`${place}.id`, id, idLimit);
  if (long !== undefined) return long;
  if (type === 'custom') return nameProblem(`${place}.custom.name`, fields(custom)['name']);
  if (type !== 'function')
    return `Invalid value: '${String(type)}' in '${place}.type'. Supported values are: 'function' and 'custom'.`;
  const { name, arguments: text } = fields(called);
  const named = nameProblem(`${place}.function.name`, name);
  if (named !== undefined) return named;
  if (typeof text !== 'string')
    return `Invalid type for '${place}.function.arguments': expected a string, but got an object instead.`;
  // OpenAI takes any text; the servers that imitate it parse it.
  return isJson(text) ? undefined : `Invalid '${place}.function.arguments': not a JSON object.`;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

const answersCalls: Rule = ({ messages }) => {
  let open: unknown[] = [];
  const unanswered = (): string =>
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.join(', ')}`;
  for (const [index, { role, tool_calls: calls, tool_call_id: id }] of list(messages).entries()) {
    if (role === 'tool') {
      if (!open.includes(id))
        return `Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'. (messages[${index}])`;
      open = open.filter((each) => each !== id);
      continue;
    }
    if (open.length > 0) return unanswered();
    open = list(calls).map((call) => call['id']);
  }
  return open.length > 0 ? unanswered() : undefined;
};

const hasTools =
  ({ toolLimit, isOwnTool }: ChatDialect): Rule =>
  ({ tools }) => {
    if (tools === undefined) return undefined;
    const nameOf = ({ function: own, custom }: Fields): unknown => fields(own)['name'] ?? fields(custom)['name'];
    const counted = countProblem(tools, list(tools).map(nameOf), toolLimit);
    if (counted !== undefined) return counted;
    return first(list(tools), ({ type, function: own, custom }, index) => {
      const place = `tools[${index}]`;
      if (isOwnTool(type)) return undefined;
      if (type === 'custom') return nameProblem(`${place}.custom.name`, fields(custom)['name']);
      if (type !== 'function')
        return `Invalid value: '${String(type)}' in '${place}.type'. Supported values are: 'function' and 'custom'.`;
      const { name, parameters: schema, strict } = fields(own);
      return functionProblem({ place: `${place}.function`, name, schema, strict });
    });
  };

const hasToolChoice =
  ({ isOwnTool }: ChatDialect): Rule =>
  ({ tools, tool_choice: choice }) => {
    if (choice === undefined || ['none', 'auto', 'required'].includes(String(choice))) return undefined;
    const { type, function: own, custom } = fields(choice);
    if (type === 'allowed_tools' || isOwnTool(type)) return undefined;
    if (type !== 'function' && type !== 'custom')
      return `Invalid value: '${String(type ?? choice)}'. Supported values are: 'none', 'auto', and 'required'.`;
    const name = fields(own ?? custom)['name'];
    const isThere = list(tools).some((tool) => tool['type'] === type && fields(tool[type])['name'] === name);
    return isThere
      ? undefined
      : `Invalid value for 'tool_choice': no ${type} named '${String(name)}' was specified in the 'tools' parameter.`;
  };

const streams: Rule = ({ stream, stream_options: options }) =>
  options !== undefined && stream !== true
    ? "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    : undefined;

/** The rules of a server that speaks this API. */
export function chatRules(dialect: ChatDialect): readonly Rule[] {
  return [
    isWellFormed,
    hasMembers(dialect.members),
    hasMessages,
    hasContent(dialect.resultParts),
    hasCalls(dialect.idLimit),
    answersCalls,
    hasTools(dialect),
    needsTools,
    hasToolChoice(dialect),
    streams,
    ({ model, reasoning_effort: effort }) => effortProblem('reasoning_effort', model, effort),
  ];
}

/** From gpt-5.4 on, tools go with Responses, or without reasoning. */
const keepsReasoningApart: Rule = ({ model, tools, reasoning_effort: effort }) => {
  const isNew = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/.test(String(model));
  return isNew && list(tools).length > 0 && effort !== 'none'
    ? `Function tools with reasoning_effort are not supported for ${String(model)} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`
    : undefined;
};

const takesNewLimit: Rule = ({ model, max_tokens: limit }) =>
  limit !== undefined && /^(?:o\d|gpt-5)/.test(String(model))
    ? "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    : undefined;

/** Answers a request of the Chat Completions API as OpenAI does, where OpenAI refuses it. */
export const refuseOpenAIChat = openaiValidator([
  ...chatRules({ members: chatMembers, idLimit: 40, toolLimit: 128, resultParts: ['text'], isOwnTool: () => false }),
  hasSampling,
  keepsReasoningApart,
  takesNewLimit,
  atLeast(1, 'max_completion_tokens'),
]);
