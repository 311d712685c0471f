import {
  type Fields,
  type Rule,
  type Validator,
  duplicate,
  fields,
  first,
  isBase64,
  isObject,
  isPlainName,
  isText,
  isWellFormed,
  list,
  problemOf,
  refusal,
  unknownKey,
} from './rules.ts';
import { rootProblem, schemasIn, strictProblem } from './schemas.ts';

/** Answers a request of the Messages API (version 2026-10-21) as Anthropic does, where Anthropic refuses it. */
export const refuseAnthropicMessages: Validator = (body) => {
  const message = problemOf(body, rules);
  if (message === undefined) return undefined;
  return refusal(400, { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' });
};

/** Of the stable and of the beta interface. */
const members = [
  ...['max_tokens', 'messages', 'model', 'billing_policy', 'cache_control', 'compaction', 'container'],
  ...['context_management', 'diagnostics', 'fallback_credit_token', 'fallbacks', 'inference_geo', 'mcp_servers'],
  ...['metadata', 'output_config', 'output_format', 'service_tier', 'speed', 'stop_sequences', 'stream', 'system'],
  ...['thinking', 'thread', 'tool_choice', 'tools', 'user_profile_id', 'workspace_id'],
];

const knowsMembers: Rule = (body) => {
  const removed = ['temperature', 'top_p', 'top_k'].find((name) => name in body);
  if (removed !== undefined) return `${removed}: Sampling parameters are not supported in this API version`;
  const unknown = unknownKey(body, members);
  return unknown && `${unknown}: Extra inputs are not permitted`;
};

const hasBasics: Rule = ({ model, max_tokens: limit, messages }) => {
  if (!isText(model)) return 'model: Field required';
  if (!Number.isInteger(limit)) return 'max_tokens: Field required';
  if (Number(limit) < 1) return 'max_tokens: Input should be greater than or equal to 1';
  if (!Array.isArray(messages)) return 'messages: Field required';
  return messages.length === 0 ? 'messages: at least one message is required' : undefined;
};

/** The blocks of a message: a text is one. */
function blocksOf({ content }: Fields): readonly Fields[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : list(content);
}

const everyBlock =
  (say: (block: Fields, place: string, role: unknown) => string | undefined): Rule =>
  ({ messages }) =>
    first(list(messages), (message, index) =>
      first(blocksOf(message), (block, at) =>
        say(block, `messages.${index}.content.${at}.${String(block['type'])}`, message['role']),
      ),
    );

const hasTurns: Rule = ({ messages }) =>
  first(list(messages), (message, index) => {
    const { role, content } = message;
    if (!['user', 'assistant', 'system'].includes(String(role))) return `messages.${index}.role: Unexpected role`;
    if (index === 0 && role === 'assistant') return 'messages: first message must use the "user" role';
    if (typeof content !== 'string' && !Array.isArray(content)) return `messages.${index}.content: Field required`;
    const isLastOfModel = index === list(messages).length - 1 && role === 'assistant';
    if (content.length === 0 && !isLastOfModel)
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    const end = blocksOf(message).at(-1)?.['text'];
    return isLastOfModel && typeof end === 'string' && end !== end.trimEnd()
      ? 'messages: final assistant content cannot end with trailing whitespace'
      : undefined;
  });

const blockTypes: Readonly<Record<string, RegExp>> = {
  user: /^(?:text|image|document|search_result|tool_result|container_upload|mcp_tool_result)$/,
  assistant:
    /^(?:text|thinking|redacted_thinking|tool_use|server_tool_use|mcp_tool_use|\w+_tool_result|compaction|fallback|container_upload)$/,
  system: /^(?:text|tool_addition|tool_removal)$/,
};

const hasBlocks = everyBlock((block, place, role) => {
  const { type, text, citations } = block;
  if (blockTypes[String(role)]?.test(String(type)) !== true)
    return `${place}: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`;
  if (type === 'text' && !isText(text)) return 'messages: text content blocks must be non-empty';
  if (type === 'text' && String(text).trim() === '')
    return 'messages: text content blocks must contain non-whitespace text';
  if (type === 'text' && role === 'user' && list(citations).length > 0)
    return `${place}.citations: Extra inputs are not permitted`;
  if (type === 'image' || type === 'document') return sourceProblem(block, place);
  if (type === 'thinking' && !isText(block['signature'])) return `${place}.signature: Field required`;
  return type === 'redacted_thinking' && !isText(block['data']) ? `${place}.data: Field required` : undefined;
});

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function sourceProblem({ type: kind, source }: Fields, place: string): string | undefined {
  const { type, media_type: mediaType, data, url } = fields(source);
  const types = kind === 'image' ? imageTypes : ['application/pdf'];
  if (type === 'base64' && !types.includes(String(mediaType)))
    return `${place}.source.base64.media_type: Input should be '${types.join("', '")}'`;
  if (type === 'base64' && !isBase64(data)) return `${place}.source.base64: invalid base64 data`;
  if (type === 'url' && !/^https?:/.test(String(url))) return `${place}.source.url: Only HTTPS URLs are supported.`;
  if (type === 'text' && !isText(data)) return `${place}.source.text.data: must be non-empty`;
  return ['base64', 'url', 'text', 'file', 'content'].includes(String(type))
    ? undefined
    : `${place}.source: Field required`;
}

const hasCalls = everyBlock(({ type, id, name, input }, place) => {
  if (type !== 'tool_use') return undefined;
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]+$/.test(id))
    return `${place}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`;
  if (!isPlainName(name)) return `${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`;
  return isObject(input) ? undefined : `${place}.input: Input should be a valid dictionary`;
});

/** What a tool of the server's has given stands behind its call, and what a search has found is there. */
const hasServerResults: Rule = ({ messages, tools }) => {
  const names = new Set(list(tools).map(({ name }) => name));
  return first(list(messages), (message, index) => {
    if (message['role'] !== 'assistant') return undefined;
    const called = new Set<unknown>();
    return first(blocksOf(message), ({ type, id, tool_use_id: answered, content }, at) => {
      const place = `messages.${index}.content.${at}`;
      if (type === 'server_tool_use' || type === 'mcp_tool_use') called.add(id);
      if (!String(type).endsWith('_tool_result')) return undefined;
      const isLate =
        index > 0 &&
        list(messages)
          .slice(0, index)
          .some((each) => blocksOf(each).some((block) => block['id'] === answered));
      if (!called.has(answered) && !isLate)
        return `${place}: unexpected \`tool_use_id\` found in \`${String(type)}\` blocks: ${String(answered)}`;
      const unknown = list(fields(content)['tool_references']).find((found) => !names.has(found['tool_name']));
      return unknown && `${place}: Tool reference '${String(unknown['tool_name'])}' not found in available tools`;
    });
  });
};

/** A call of a tool of the server's is answered by the time that the user says something. */
const answersServerCalls: Rule = ({ messages }) => {
  const all = list(messages);
  const answered = all.flatMap((message) => blocksOf(message).map(({ tool_use_id: id }) => id));
  const lastWords = all.findLastIndex(
    (message) => message['role'] === 'user' && blocksOf(message).some(({ type }) => type !== 'tool_result'),
  );
  return first(all.slice(0, Math.max(lastWords, 0)), (message, index) => {
    const lost = blocksOf(message).find(({ type, id }) => type === 'server_tool_use' && !answered.includes(id));
    return (
      lost &&
      `messages.${index}: \`${String(lost['name'])}\` tool use with id \`${String(lost['id'])}\` was found without a corresponding \`${String(lost['name'])}_tool_result\` block`
    );
  });
};

const hasUniqueCalls: Rule = ({ messages }) => {
  const calls = list(messages)
    .flatMap(blocksOf)
    .filter(({ type }) => type === 'tool_use');
  return duplicate(calls.map(({ id }) => id)) === undefined ? undefined : 'messages: `tool_use` ids must be unique';
};

const answersCalls: Rule = ({ messages }) => {
  const all = list(messages).filter(({ role }) => role !== 'system');
  return first(all, (message, index) => {
    const idsOf = (each: Fields | undefined, type: string, key: string): readonly unknown[] =>
      each === undefined ? [] : blocksOf(each).flatMap((block) => (block['type'] === type ? [block[key]] : []));
    const before = all[index - 1];
    const asked = before?.['role'] === 'assistant' ? idsOf(before, 'tool_use', 'id') : [];
    const given = idsOf(message, 'tool_result', 'tool_use_id');
    const missing = asked.filter((id) => !given.includes(id));
    if (
      missing.length > 0 ||
      (index === all.length - 1 && message['role'] === 'assistant' && idsOf(message, 'tool_use', 'id').length > 0)
    ) {
      const open = missing.length > 0 ? missing : idsOf(message, 'tool_use', 'id');
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    const orphan = given.find((id) => !asked.includes(id));
    if (orphan !== undefined)
      return `messages.${index}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(orphan)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    return duplicate(given) === undefined
      ? undefined
      : `messages.${index}.content: each tool_use must have a single result`;
  });
};

const hasResultsFirst: Rule = ({ messages }) =>
  first(list(messages), (message, index) => {
    const types = blocksOf(message).map(({ type }) => type);
    const isLate =
      message['role'] === 'user' &&
      types.lastIndexOf('tool_result') !== types.filter((type) => type === 'tool_result').length - 1;
    return isLate
      ? `messages.${index}: \`tool_result\` blocks must come first in the content of a user message`
      : undefined;
  });

const hasResults = everyBlock(({ type, content, is_error: isError }, place) => {
  if (type !== 'tool_result') return undefined;
  const blocks = blocksOf({ content });
  const isEmpty = blocks.every((block) => block['type'] === 'text' && !isText(block['text']));
  if (isError === true && isEmpty) return `${place}: content cannot be empty if \`is_error\` is true`;
  return first(Array.isArray(content) ? blocks : [], (block, index) => {
    const at = `${place}.content.${index}.${String(block['type'])}`;
    if (!/^(?:text|image|document|search_result|tool_reference|browser_state)$/.test(String(block['type'])))
      return `${at}: Input tag does not match any of the expected tags`;
    if (block['type'] === 'text' && !isText(block['text'])) return 'messages: text content blocks must be non-empty';
    return block['type'] === 'image' || block['type'] === 'document' ? sourceProblem(block, at) : undefined;
  });
});

const isOwnTool = ({ type }: Fields): boolean => type === undefined || type === null || type === 'custom';

const hasTools: Rule = ({ tools }) => {
  const problem = first(list(tools), (tool, index) =>
    isOwnTool(tool) ? toolProblem(tool, `tools.${index}.custom`) : undefined,
  );
  if (problem !== undefined) return problem;
  const strict = list(tools).filter((tool) => tool['strict'] === true);
  if (strict.length > 20) return `tools: at most 20 strict tools are supported, found ${strict.length}`;
  if (isComplex(strict)) return 'tools: Schema is too complex for compilation';
  if (list(tools).length > 0 && list(tools).every((tool) => tool['defer_loading'] === true))
    return 'tools: At least one tool must have defer_loading=false.';
  const names = list(tools).flatMap(({ name }) => (name === undefined ? [] : [name]));
  return duplicate(names) === undefined ? undefined : 'tools: Tool names must be unique.';
};

/** Of all strict tools together. */
function isComplex(strict: readonly Fields[]): boolean {
  const schemas = strict.flatMap((tool) => [...schemasIn(fields(tool['input_schema']))].map(({ schema }) => schema));
  const optional = schemas.flatMap(({ properties, required }) =>
    Object.keys(fields(properties)).filter((name) => !(Array.isArray(required) && required.includes(name))),
  );
  const unions = schemas.filter(({ anyOf, type }) => Array.isArray(anyOf) || (Array.isArray(type) && type.length > 1));
  return optional.length > 24 || unions.length > 16;
}

const toolMembers = [
  ...['type', 'name', 'description', 'input_schema', 'input_examples', 'strict', 'cache_control', 'defer_loading'],
  ...['allowed_callers', 'eager_input_streaming'],
];

function toolProblem(tool: Fields, place: string): string | undefined {
  const { name, input_schema: schema, strict, input_examples: examples = [] } = tool;
  const unknown = unknownKey(tool, toolMembers);
  if (unknown !== undefined) return `${place}.${unknown}: Extra inputs are not permitted`;
  if (!isPlainName(name)) return `${place}.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`;
  const root = rootProblem(schema);
  if (root !== undefined) return `${place}.input_schema: ${root}`;
  if (!Array.isArray(examples) || !examples.every(isObject))
    return `${place}.input_examples: Input should be a valid dictionary`;
  if (tool['defer_loading'] === true && tool['cache_control'])
    return `${place}: a deferred tool cannot have cache_control`;
  const eager = tool['eager_input_streaming'];
  if (eager !== undefined && eager !== null && typeof eager !== 'boolean')
    return `${place}.eager_input_streaming: Input should be a valid boolean`;
  const problem = strict === true ? strictProblem(fields(schema), strictMode) : undefined;
  return problem && `${place}.input_schema: ${problem}`;
}

const strictMode = {
  requiresAll: false,
  takesRecursion: false,
  forbidden: [
    ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
    ...['maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'oneOf', 'not', 'if', 'then', 'else'],
    ...['patternProperties', 'propertyNames', 'contains', 'prefixItems', 'dependentRequired', 'dependentSchemas'],
  ],
};

const hasToolChoice: Rule = ({ tools, tool_choice: choice, thinking }) => {
  if (choice === undefined) return undefined;
  const { type, name, disable_parallel_tool_use: isSingle } = fields(choice);
  if (!['auto', 'any', 'tool', 'none'].includes(String(type)))
    return `tool_choice: Input tag '${String(type)}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`;
  if (list(tools).length === 0) return 'tool_choice: may only be specified while providing tools';
  if (type === 'none' && isSingle !== undefined)
    return 'tool_choice.none.disable_parallel_tool_use: Extra inputs are not permitted';
  if (type === 'tool' && !list(tools).some((tool) => tool['name'] === name))
    return `Tool '${String(name)}' not found in provided tools`;
  const isForced = type === 'any' || type === 'tool';
  return isForced && fields(thinking)['type'] === 'enabled'
    ? 'Thinking may not be enabled when tool_choice forces tool use.'
    : undefined;
};

const hasThinking: Rule = ({ thinking, max_tokens: limit }) => {
  if (thinking === undefined) return undefined;
  const { type, budget_tokens: budget } = fields(thinking);
  if (!['enabled', 'disabled', 'adaptive'].includes(String(type)))
    return `thinking: Input tag '${String(type)}' found using 'type' does not match any of the expected tags`;
  if (type !== 'enabled') return undefined;
  if (!(Number(budget) >= 1024)) return 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024';
  return Number(budget) < Number(limit) ? undefined : '`max_tokens` must be greater than `thinking.budget_tokens`';
};

/** With a budget; models that decide by themselves may begin with anything. */
const beginsWithThought: Rule = ({ messages, thinking }) => {
  if (fields(thinking)['type'] !== 'enabled') return undefined;
  const all = list(messages);
  const isQuestion = (message: Fields): boolean =>
    message['role'] === 'user' && !blocksOf(message).some(({ type }) => type === 'tool_result');
  const asked = all.findLastIndex(isQuestion);
  const index = all.findIndex(({ role }, at) => at > asked && role === 'assistant');
  const begun = all[index];
  const type = begun && String(blocksOf(begun)[0]?.['type']);
  return type === undefined || /^(?:redacted_)?thinking$/.test(type)
    ? undefined
    : `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`;
};

const hasBreakpoints: Rule = ({ tools, system, messages, cache_control: automatic }) => {
  const blocks = [...list(tools), ...list(system), ...list(messages).flatMap(blocksOf)];
  const inside = blocks.flatMap(({ content }) => list(content));
  const marked =
    [...blocks, ...inside].filter((block) => isObject(block['cache_control'])).length + (automatic ? 1 : 0);
  return marked > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${marked}.` : undefined;
};

const hasSystem: Rule = ({ system }) =>
  first(list(system), ({ text }) =>
    isText(text) && text.trim() !== '' ? undefined : 'system: text content blocks must be non-empty',
  );

const hasReferences: Rule = ({ tools }) =>
  first(list(tools), ({ input_schema: schema }, index) => {
    const references = [...schemasIn(fields(schema))].flatMap(({ schema: inner }) =>
      isText(inner['$ref']) ? [inner['$ref']] : [],
    );
    const outside = references.find((reference) => !reference.startsWith('#'));
    return outside && `tools.${index}.custom.input_schema: external $ref '${outside}' is not supported`;
  });

const rules: readonly Rule[] = [
  isWellFormed,
  knowsMembers,
  hasBasics,
  hasTurns,
  hasBlocks,
  hasCalls,
  hasServerResults,
  answersServerCalls,
  hasUniqueCalls,
  answersCalls,
  hasResultsFirst,
  hasResults,
  hasTools,
  hasReferences,
  hasToolChoice,
  hasThinking,
  beginsWithThought,
  hasBreakpoints,
  hasSystem,
];
