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

const members = [
  ...['access_programs', 'background', 'context_management', 'conversation', 'image', 'include', 'input'],
  ...['instructions', 'max_output_tokens', 'max_tool_calls', 'metadata', 'model', 'moderation', 'parallel_tool_calls'],
  ...['previous_response_id', 'prompt', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention'],
  ...['reasoning', 'safety_identifier', 'service_tier', 'store', 'stream', 'stream_options', 'temperature', 'text'],
  ...['tool_choice', 'tools', 'top_logprobs', 'top_p', 'truncation', 'user'],
];

const hasInput: Rule = ({ input, previous_response_id: before, prompt, conversation }) => {
  if (typeof input === 'string') return undefined;
  if (before ?? prompt ?? conversation) return undefined;
  return list(input).length > 0 ? undefined : "Missing required parameter: 'input'.";
};

/** The items of a request; a message may leave out its type. */
function itemsOf({ input }: Fields): readonly (Fields & { readonly type: string })[] {
  return list(input).map((item) => ({ ...item, type: String(item['type'] ?? ('role' in item ? 'message' : '')) }));
}

const everyItem =
  (say: (item: Fields & { readonly type: string }, place: string) => string | undefined): Rule =>
  (body) =>
    first(itemsOf(body), (item, index) => say(item, `input[${index}]`));

const itemTypes =
  /^(?:message|reasoning|program(?:_output)?|item_reference|compaction|additional_tools|configuration_update|mcp_\w+|\w+_call(?:_output)?|tool_search_output)$/;

const inputParts = ['input_text', 'input_image', 'input_file', 'input_audio'];

const hasItems = everyItem((item, place) => {
  const { type, role, content } = item;
  if (!itemTypes.test(type)) return `Invalid value: '${type}' in '${place}.type'.`;
  if (type !== 'message') return undefined;
  if (!['user', 'assistant', 'system', 'developer'].includes(String(role)))
    return `Invalid value: '${String(role)}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`;
  const types = role === 'assistant' ? ['output_text', 'refusal'] : inputParts;
  return partsProblem(`${place}.content`, content, types) ?? mediaProblem(content, `${place}.content`);
});

function mediaProblem(content: unknown, place: string): string | undefined {
  return first(Array.isArray(content) ? list(content) : [], (part, index) => {
    const { type, image_url: image, file_id: id, file_url: url, file_data: data, filename } = part;
    const at = `${place}[${index}]`;
    if (type === 'input_image' && !isText(id) && !/^(?:https?:|data:image\/)/.test(String(image)))
      return `Invalid '${at}.image_url'. Expected a valid URL, but got a value with an invalid format.`;
    if (type !== 'input_file') return undefined;
    if ([id, url, data].filter(isText).length !== 1)
      return `Mutually exclusive parameters: '${at}' needs one of 'file_id', 'file_url' and 'file_data'.`;
    return isText(data) && !isText(filename) ? `Missing required parameter: '${at}.filename'.` : undefined;
  });
}

const hasCalls = everyItem(({ type, call_id: id, name, arguments: text, input, output }, place) => {
  if (!/^(?:function_call|custom_tool_call)(?:_output)?$/.test(type)) return undefined;
  const long = tooLong(`${place}.call_id`, id, 64);
  if (long !== undefined) return long;
  if (type.endsWith('_output'))
    return partsProblem(`${place}.output`, output, inputParts) ?? mediaProblem(output, `${place}.output`);
  const named = nameProblem(`${place}.name`, name);
  if (named !== undefined) return named;
  if (type === 'custom_tool_call')
    return typeof input === 'string' ? undefined : `Missing required parameter: '${place}.input'.`;
  return typeof text === 'string'
    ? undefined
    : `Invalid type for '${place}.arguments': expected a string, but got ${text === undefined ? 'nothing' : 'an object'} instead.`;
});

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  reasoning: 'rs',
  custom_tool_call: 'ctc',
};

const hasIds: Rule = (body) => {
  const items = itemsOf(body);
  const wrong = first(items, ({ type, id }, index) => {
    const prefix = prefixes[type];
    return prefix === undefined || id === undefined || id === null || String(id).startsWith(prefix)
      ? undefined
      : `Invalid 'input[${index}].id': '${String(id)}'. Expected an ID that begins with '${prefix}'.`;
  });
  if (wrong !== undefined) return wrong;
  const twice = duplicate(items.flatMap(({ id }) => (isText(id) ? [id] : [])));
  return twice === undefined
    ? undefined
    : `Duplicate item found with id ${String(twice)}. Remove duplicate items from your input and try again.`;
};

const answersCalls: Rule = (body) => {
  const items = itemsOf(body);
  const idsOf = (pattern: RegExp): readonly unknown[] =>
    items.flatMap(({ type, call_id: id }) => (pattern.test(type) ? [id] : []));
  const asked = idsOf(/^(?:function_call|custom_tool_call)$/);
  const given = idsOf(/^(?:function_call|custom_tool_call)_output$/);
  const twice = duplicate(asked) ?? duplicate(given);
  if (twice !== undefined) return `Invalid 'input': the call_id ${String(twice)} is there twice.`;
  const missing = asked.find((id) => !given.includes(id));
  if (missing !== undefined) return `No tool output found for function call ${String(missing)}.`;
  if (body['previous_response_id'] ?? body['conversation']) return undefined;
  const orphan = given.find((id) => !asked.includes(id));
  return orphan === undefined
    ? undefined
    : `No tool call found for function call output with call_id ${String(orphan)}.`;
};

/** What a search has found stands behind the search. */
const hasSearches: Rule = (body) => {
  const items = itemsOf(body);
  return first(items, ({ type, tools }, index) => {
    if (type !== 'tool_search_output') return undefined;
    if (!Array.isArray(tools)) return `Missing required parameter: 'input[${index}].tools'.`;
    const asked = items.slice(0, index).filter((item) => item.type === 'tool_search_call').length;
    const told = items.slice(0, index).filter((item) => item.type === 'tool_search_output').length;
    return asked > told ? undefined : `No tool search call found for tool search output 'input[${index}]'.`;
  });
};

const hasReasoning: Rule = (body) => {
  const items = itemsOf(body);
  return first(items, ({ type, id, summary, encrypted_content: sealed, content }, index) => {
    if (type !== 'reasoning') return undefined;
    if (!Array.isArray(summary)) return `Missing required parameter: 'input[${index}].summary'.`;
    if (body['store'] === false && !isText(sealed) && list(content).length === 0)
      return `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
    const next = items.slice(index + 1).find((item) => item.type !== 'reasoning');
    const isFollowed = next !== undefined && !next.type.endsWith('_output') && next['role'] !== 'user';
    return isFollowed
      ? undefined
      : `Item '${String(id)}' of type 'reasoning' was provided without its required following item.`;
  });
};

const searchers = /^(?:ft:)?gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/;

const hasTools: Rule = ({ model, tools }) => {
  if (tools === undefined) return undefined;
  const waiting = list(tools).filter(({ defer_loading: waits }) => waits === true).length;
  const counted = countProblem(
    tools,
    list(tools).map(({ name }) => name),
    128 + waiting,
  );
  if (counted !== undefined) return counted;
  const searches = list(tools).some(({ type }) => type === 'tool_search');
  if (searches && !searchers.test(String(model))) return `Tool 'tool_search' is not supported with ${String(model)}.`;
  if (waiting > 0 && !searches) return "Invalid value: 'defer_loading' requires the tool 'tool_search'.";
  return first(list(tools), ({ type, name, parameters: schema, strict, function: nested }, index) => {
    const place = `tools[${index}]`;
    if (!isText(type)) return `Missing required parameter: '${place}.type'.`;
    if (type === 'custom') return nameProblem(`${place}.name`, name);
    if (type !== 'function') return undefined;
    if (nested !== undefined) return `Unknown parameter: '${place}.function'.`;
    return functionProblem({ place, name, schema, strict });
  });
};

const hasToolChoice: Rule = ({ tools, tool_choice: choice }) => {
  if (choice === undefined || ['none', 'auto', 'required'].includes(String(choice))) return undefined;
  const { type, name, function: nested } = fields(choice);
  if (!isText(type)) return `Invalid value: '${String(choice)}'. Supported values are: 'none', 'auto', and 'required'.`;
  if (type === 'allowed_tools') return undefined;
  if (nested !== undefined) return "Unknown parameter: 'tool_choice.function'.";
  const isThere = list(tools).some((tool) => tool['type'] === type && (name === undefined || tool['name'] === name));
  return isThere ? undefined : `Tool choice '${String(name ?? type)}' not found in 'tools' parameter.`;
};

const hasInclude: Rule = ({ model, include }) => {
  const seals = Array.isArray(include) && include.includes('reasoning.encrypted_content');
  return seals && /^(?:gpt-3|gpt-4|chatgpt-4o)/.test(String(model))
    ? 'Encrypted content is not supported with this model.'
    : undefined;
};

/** Answers a request of the Responses API as OpenAI does, where OpenAI refuses it. */
export const refuseOpenAIResponses = openaiValidator([
  isWellFormed,
  hasMembers(members),
  hasInput,
  hasItems,
  hasCalls,
  hasIds,
  answersCalls,
  hasSearches,
  hasReasoning,
  hasTools,
  needsTools,
  hasToolChoice,
  hasSampling,
  hasInclude,
  ({ model, reasoning }) => effortProblem('reasoning.effort', model, fields(reasoning)['effort']),
  atLeast(16, 'max_output_tokens'),
]);
