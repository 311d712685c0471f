import {
  type Fields,
  type Rule,
  type Validator,
  duplicate,
  fields,
  first,
  isBase64,
  isObject,
  isText,
  isWellFormed,
  list,
  problemOf,
  refusal,
  unknownKey,
} from './rules.ts';
import { schemasIn } from './schemas.ts';

/** Answers a request of the Interactions API as Google does, where Google refuses it. */
export const refuseGeminiInteractions: Validator = (body) => {
  const message = problemOf(body, rules);
  return message === undefined ? undefined : refusal(400, { error: { code: 'invalid_request', message } });
};

const members = [
  ...['agent', 'agent_config', 'background', 'cached_content', 'continuation_token', 'environment'],
  ...['generation_config', 'input', 'labels', 'model', 'previous_interaction_id', 'response_format'],
  ...['response_mime_type', 'response_modalities', 'safety_settings', 'service_tier', 'store', 'stream'],
  ...['system_instruction', 'tools', 'webhook_config'],
];

const hasMembers: Rule = (body) => {
  const unknown = unknownKey(body, members);
  if (unknown !== undefined) return `Unknown parameter '${unknown}'.`;
  const { model, agent, input, system_instruction: system, previous_interaction_id: before } = body;
  if (isText(model) === isText(agent)) return "Exactly one of 'model' and 'agent' must be set.";
  if (before === undefined && !isText(input) && list(input).length === 0) return "Missing required parameter 'input'.";
  return system === undefined || isText(system)
    ? undefined
    : "Invalid value for 'system_instruction': expected a non-empty string.";
};

const stepTypes =
  /^(?:user_input|model_output|thought|function_(?:call|result)|(?:code_execution|google_search|url_context|mcp_server_tool|file_search|retrieval|processing)_\w+)$/;
const contentTypes = ['text', 'image', 'audio', 'video', 'document'];

/** The steps of the input: a list of contents, or a text, is what the user says. */
function stepsOf({ input }: Fields): readonly Fields[] {
  if (!Array.isArray(input)) return [{ type: 'user_input', content: [{ type: 'text', text: input }] }];
  const isContent = list(input).some(({ type }) => contentTypes.includes(String(type)));
  return isContent ? [{ type: 'user_input', content: input }] : list(input);
}

const everyStep =
  (say: (step: Fields, place: string) => string | undefined): Rule =>
  (body) =>
    first(stepsOf(body), (step, index) => say(step, `input[${index}]`));

const hasSteps = everyStep((step, place) => {
  const { type, content } = step;
  if (!stepTypes.test(String(type))) return `Invalid value '${String(type)}' for '${place}.type'.`;
  if (type !== 'user_input' && type !== 'model_output') return undefined;
  if (list(content).length === 0) return `Invalid value for '${place}.content': must not be empty.`;
  return contentProblem(content, `${place}.content`);
});

function contentProblem(content: unknown, place: string): string | undefined {
  return first(list(content), ({ type, text, data, uri, mime_type: mimeType }, index) => {
    const at = `${place}[${index}]`;
    if (!contentTypes.includes(String(type))) return `Invalid value '${String(type)}' for '${at}.type'.`;
    if (type === 'text') return typeof text === 'string' ? undefined : `Missing required parameter '${at}.text'.`;
    if (!isText(uri) && !isBase64(data)) return `Invalid value for '${at}.data': Base64 decoding failed.`;
    return isText(uri) || isText(mimeType) ? undefined : `Missing required parameter '${at}.mime_type'.`;
  });
}

const hasCalls = everyStep(({ type, id, name, arguments: input }, place) => {
  if (type !== 'function_call') return undefined;
  if (!isText(id)) return `Missing required parameter '${place}.id'.`;
  if (!isName(name)) return `Invalid function name '${String(name)}' in '${place}.name'.`;
  return isObject(input) ? undefined : `Invalid value for '${place}.arguments': expected an object.`;
});

const hasResults = everyStep(({ type, call_id: id, result, is_error: isError }, place) => {
  if (type !== 'function_result') return undefined;
  if (!isText(id)) return `Missing required parameter '${place}.call_id'.`;
  if (isError !== undefined && typeof isError !== 'boolean')
    return `Invalid value for '${place}.is_error': expected a boolean.`;
  if (Array.isArray(result)) {
    if (result.length === 0) return `Invalid value for '${place}.result': must not be empty.`;
    return contentProblem(result, `${place}.result`);
  }
  return typeof result === 'string' || isObject(result) ? undefined : `Missing required parameter '${place}.result'.`;
});

const answersCalls: Rule = (body) => {
  const steps = stepsOf(body);
  const asked = steps.flatMap(({ type, id }) => (type === 'function_call' ? [id] : []));
  const given = steps.flatMap(({ type, call_id: id }) => (type === 'function_result' ? [id] : []));
  const twice = duplicate(asked) ?? duplicate(given);
  if (twice !== undefined) return `The id ${String(twice)} is there twice.`;
  const missing = asked.find((id) => !given.includes(id));
  if (missing !== undefined)
    return `The number of function results is not equal to the number of function calls: ${String(missing)} has none.`;
  if (body['previous_interaction_id'] !== undefined) return undefined;
  const orphan = given.find((id, index) => id !== asked[index]);
  return orphan === undefined ? undefined : `The function result for ${String(orphan)} does not match a function call.`;
};

/** The first call behind what the user or a tool said is signed, itself or by the thought before it. */
const keepsSignatures: Rule = (body) => {
  const steps = stepsOf(body);
  if (!/gemini-3/.test(String(body['model']))) return undefined;
  return first(steps, (step, index) => {
    const start = steps
      .slice(0, index)
      .findLastIndex(({ type }) => type === 'user_input' || type === 'function_result');
    const before = steps.slice(start + 1, index);
    const isFirst = step['type'] === 'function_call' && !before.some(({ type }) => type === 'function_call');
    if (step['type'] === 'thought' && !isText(step['signature']))
      return `Missing required parameter 'input[${index}].signature'.`;
    const isSigned = isText(step['signature']) || before.some(({ type }) => type === 'thought');
    return isFirst && !isSigned ? `Function call is missing a thought signature: input[${index}].` : undefined;
  });
};

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(name);
}

const hasTools: Rule = ({ tools }) => {
  const own = list(tools).filter(({ type }) => type === 'function');
  const untyped = list(tools).find(({ type }) => !isText(type));
  if (untyped !== undefined) return "Missing required parameter 'tools[0].type'.";
  const twice = duplicate(own.map(({ name }) => name));
  if (twice !== undefined) return `Duplicate function declaration found: ${String(twice)}`;
  return first(own, ({ name, parameters, ...tool }, index) => {
    const unknown = unknownKey(tool, ['type', 'description']);
    if (unknown !== undefined) return `Unknown parameter 'tools[${index}].${unknown}'.`;
    if (!isName(name)) return `Invalid function name '${String(name)}' in 'tools[${index}].name'.`;
    if (parameters === undefined) return undefined;
    return fields(parameters)['type'] === 'object'
      ? ignoredKeyword(fields(parameters), `tools[${index}].parameters`)
      : `Invalid value for 'tools[${index}].parameters': schema should be of type object.`;
  });
};

const ignored = [
  ...['contains', 'maxContains', 'maxLength', 'maxProperties', 'minContains', 'minLength', 'minProperties'],
  ...['uniqueItems'],
];

/** Google passes over these, so that nobody is told of them; here they are an error. */
function ignoredKeyword(root: Fields, place: string): string | undefined {
  for (const { schema, path } of schemasIn(root)) {
    const key = ignored.find((each) => each in schema);
    if (key !== undefined) return `The keyword '${key}' is ignored in '${[place, ...path].join('.')}'.`;
  }
  return undefined;
}

const hasToolChoice: Rule = ({ tools, generation_config: config }) => {
  const { tool_choice: choice } = fields(config);
  if (choice === undefined || ['auto', 'any', 'none', 'validated'].includes(String(choice))) return undefined;
  const { allowed_tools: allowed } = fields(choice);
  if (!isObject(allowed)) return `Invalid value for 'generation_config.tool_choice'.`;
  const names = list(tools).map(({ name }) => name);
  const unknown = Array.isArray(allowed['tools']) ? allowed['tools'].find((name) => !names.includes(name)) : undefined;
  return unknown === undefined ? undefined : `The allowed tool ${String(unknown)} is not among the tools.`;
};

const rules: readonly Rule[] = [
  isWellFormed,
  hasMembers,
  hasSteps,
  hasCalls,
  hasResults,
  answersCalls,
  keepsSignatures,
  hasTools,
  hasToolChoice,
];
