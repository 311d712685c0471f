import {
  type Fields,
  type Rule,
  type Validator,
  fields,
  first,
  isBase64,
  isObject,
  isText,
  isWellFormed,
  list,
  problemOf,
  refusal,
} from './rules.ts';

/** Answers a request of `/api/chat` as Ollama does, where Ollama refuses it. Members that it does not know it ignores. */
export const refuseOllamaChat: Validator = (body) => {
  const error = problemOf(body, rules);
  return error === undefined ? undefined : refusal(400, { error });
};

const cannotRead = (what: unknown, member: string, type: string): string =>
  `json: cannot unmarshal ${Array.isArray(what) ? 'array' : what === null ? 'null' : typeof what} into Go struct field ChatRequest.${member} of type ${type}`;

const hasModel: Rule = ({ model, messages }) => {
  if (!isText(model)) return 'model is required';
  return messages === undefined || Array.isArray(messages)
    ? undefined
    : cannotRead(messages, 'messages', '[]api.Message');
};

const hasMessages: Rule = ({ messages }) =>
  first(list(messages), ({ role, content, images, thinking, tool_calls: calls }) => {
    if (!['system', 'user', 'assistant', 'tool'].includes(String(role))) return `invalid role: ${String(role)}`;
    if (content !== undefined && typeof content !== 'string') return cannotRead(content, 'messages.content', 'string');
    if (thinking !== undefined && typeof thinking !== 'string')
      return cannotRead(thinking, 'messages.thinking', 'string');
    if (images !== undefined && !(Array.isArray(images) && images.every(isBase64)))
      return 'illegal base64 data at input byte 4';
    if (calls !== undefined && role !== 'assistant') return `invalid message: only the assistant has tool_calls`;
    return first(list(calls), callProblem);
  });

function callProblem({ id, function: called }: Fields): string | undefined {
  const { name, arguments: input } = fields(called);
  if (!isText(name)) return 'invalid message: a tool call needs a name';
  if (id !== undefined && typeof id !== 'string') return cannotRead(id, 'messages.tool_calls.id', 'string');
  return isObject(input)
    ? undefined
    : cannotRead(input, 'messages.tool_calls.function.arguments', 'api.ToolCallFunctionArguments');
}

const hasResults: Rule = ({ messages }) =>
  first(list(messages), ({ role, tool_name: name, tool_call_id: id }) => {
    if (role !== 'tool') return undefined;
    if (name !== undefined && typeof name !== 'string') return cannotRead(name, 'messages.tool_name', 'string');
    return id === undefined || typeof id === 'string' ? undefined : cannotRead(id, 'messages.tool_call_id', 'string');
  });

/** What the server's types cannot hold; other keywords it drops. */
const hasTools: Rule = ({ tools }) => {
  if (tools !== undefined && !Array.isArray(tools)) return cannotRead(tools, 'tools', 'api.Tools');
  return first(list(tools), ({ type, function: own }) => {
    const { name, description, parameters } = fields(own);
    if (type !== 'function') return `invalid tool type: ${String(type)}`;
    if (!isText(name)) return 'invalid tool: a function needs a name';
    if (description !== undefined && typeof description !== 'string')
      return cannotRead(description, 'tools.function.description', 'string');
    const { type: root, properties, required } = fields(parameters);
    if (typeof root !== 'string') return cannotRead(root, 'tools.function.parameters.type', 'string');
    if (properties !== undefined && !isObject(properties))
      return cannotRead(properties, 'tools.function.parameters.properties', 'map[string]api.ToolProperty');
    if (required !== undefined && !Array.isArray(required))
      return cannotRead(required, 'tools.function.parameters.required', '[]string');
    return first(Object.values(fields(properties)), (property) =>
      isObject(property) ? undefined : cannotRead(property, 'tools.function.parameters.properties', 'api.ToolProperty'),
    );
  });
};

const hasThinking: Rule = ({ think }) => {
  const isKnown =
    think === undefined || typeof think === 'boolean' || ['low', 'medium', 'high', 'max'].includes(String(think));
  return isKnown
    ? undefined
    : `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", "max", true, or false)`;
};

const hasOptions: Rule = ({ options, stream }) => {
  if (stream !== undefined && typeof stream !== 'boolean') return cannotRead(stream, 'stream', 'bool');
  if (options === undefined || isObject(options)) {
    const limit = fields(options)['num_predict'];
    return limit === undefined || Number.isInteger(limit) ? undefined : 'option "num_predict" must be of type integer';
  }
  return cannotRead(options, 'options', 'map[string]interface {}');
};

const rules: readonly Rule[] = [isWellFormed, hasModel, hasMessages, hasResults, hasTools, hasThinking, hasOptions];
