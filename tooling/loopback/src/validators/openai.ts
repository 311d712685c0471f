import {
  type Fields,
  type Rule,
  type Validator,
  duplicate,
  fields,
  first,
  isPlainName,
  isText,
  list,
  problemOf,
  refusal,
  unknownKey,
} from './rules.ts';
import { rootProblem, schemasIn, strictProblem } from './schemas.ts';

/** What OpenAI's two APIs refuse in the same words. */
export interface FunctionTool {
  readonly place: string;
  readonly name: unknown;
  readonly schema: unknown;
  readonly strict: unknown;
}

/** A validator that answers in OpenAI's form. */
export function openaiValidator(rules: readonly Rule[]): Validator {
  return (body) => {
    const message = problemOf(body, rules);
    if (message === undefined) return undefined;
    return refusal(400, { error: { message, type: 'invalid_request_error', param: null, code: codeOf(message) } });
  };
}

function codeOf(message: string): string | null {
  if (message.startsWith('Unknown parameter')) return 'unknown_parameter';
  if (message.startsWith('Missing required')) return 'missing_required_parameter';
  if (message.startsWith('Unsupported parameter')) return 'unsupported_parameter';
  if (message.startsWith('Invalid schema')) return 'invalid_function_parameters';
  return message.startsWith('Invalid') ? 'invalid_value' : null;
}

/** The request has a model, and no member that nobody knows. */
export function hasMembers(known: readonly string[]): Rule {
  return (body) => {
    const unknown = unknownKey(body, known);
    if (unknown !== undefined) return `Unknown parameter: '${unknown}'.`;
    return isText(body['model']) ? undefined : "Missing required parameter: 'model'.";
  };
}

export function tooLong(place: string, value: unknown, limit: number): string | undefined {
  if (typeof value !== 'string') return `Missing required parameter: '${place}'.`;
  if (value.length <= limit) return undefined;
  return `Invalid '${place}': string too long. Expected a string with maximum length ${limit}, but got a string with length ${value.length} instead.`;
}

export function nameProblem(place: string, name: unknown): string | undefined {
  if (isPlainName(name)) return undefined;
  return (
    tooLong(place, name, 64) ??
    `Invalid '${place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
  );
}

export function functionProblem({ place, name, schema, strict }: FunctionTool): string | undefined {
  const named = nameProblem(`${place}.name`, name);
  if (named !== undefined) return named;
  if (schema === undefined || schema === null) return undefined;
  const problem =
    rootProblem(schema) ??
    schemaProblem(fields(schema)) ??
    (strict === true ? strictProblem(fields(schema), strictMode) : undefined);
  return problem && `Invalid schema for function '${String(name)}': ${problem}.`;
}

function schemaProblem(root: Fields): string | undefined {
  for (const { schema, path } of schemasIn(root)) {
    const place = `In context=(${path.map((name) => `'${name}'`).join(', ')})`;
    if (schema['type'] === 'object' && path.length === 0 && schema['properties'] === undefined)
      return `${place}, object schema missing properties`;
    if (schema['type'] === 'array' && schema['items'] === undefined && schema['prefixItems'] === undefined)
      return `${place}, array schema missing items`;
  }
  return undefined;
}

const strictMode = {
  requiresAll: true,
  takesRecursion: true,
  forbidden: [
    ...['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
    ...['patternProperties', 'unevaluatedProperties', 'propertyNames', 'minProperties', 'maxProperties'],
    ...['contains', 'minContains', 'maxContains', 'unevaluatedItems', 'uniqueItems', 'default'],
  ],
};

/** How many tools there are, and that no two have the same name. */
export function countProblem(tools: unknown, names: readonly unknown[], limit = 128): string | undefined {
  const count = list(tools).length;
  if (Array.isArray(tools) && count === 0)
    return "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.";
  if (count > limit)
    return `Invalid 'tools': array too long. Expected an array with maximum length ${limit}, but got an array with length ${count} instead.`;
  const twice = duplicate(names.filter((name) => name !== undefined));
  return twice === undefined ? undefined : `Invalid 'tools': the name '${String(twice)}' is there twice.`;
}

/** What is about tools is allowed only where there are some. */
export const needsTools: Rule = (body) => {
  if (list(body['tools']).length > 0) return undefined;
  const member = ['tool_choice', 'parallel_tool_calls'].find((name) => name in body);
  return member && `Invalid value for '${member}': '${member}' is only allowed when 'tools' are specified.`;
};

/** Models that reason have their own way of choosing words. */
export const hasSampling: Rule = (body) => {
  const effort = body['reasoning_effort'] ?? fields(body['reasoning'])['effort'];
  if (!/^(?:o\d|gpt-5)/.test(String(body['model'])) || effort === 'none') return undefined;
  const member = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'].find(
    (name) => name in body,
  );
  return member && `Unsupported parameter: '${member}' is not supported with this model.`;
};

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** How much a model is to think: one that cannot must not be asked to. */
export function effortProblem(place: string, model: unknown, effort: unknown): string | undefined {
  if (effort === undefined || effort === null) return undefined;
  if (/^(?:gpt-3|gpt-4|chatgpt-4o)/.test(String(model)))
    return `Unsupported parameter: '${place}' is not supported with this model.`;
  return efforts.includes(String(effort))
    ? undefined
    : `Invalid value: '${String(effort)}'. Supported values are: '${efforts.join("', '")}'.`;
}

/** A number of tokens. */
export function atLeast(minimum: number, member: string): Rule {
  return (body) => {
    const value = body[member];
    if (value === undefined || value === null || Number(value) >= minimum) return undefined;
    return `Invalid '${member}': integer below minimum value. Expected a value >= ${minimum}, but got ${String(value)} instead.`;
  };
}

/** The parts of a message are of these types, and there are some. */
export function partsProblem(place: string, content: unknown, types: readonly string[]): string | undefined {
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content))
    return `Invalid type for '${place}': expected one of a string or array of objects, but got ${content === null ? 'null' : typeof content} instead.`;
  if (content.length === 0)
    return `Invalid '${place}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  return first(list(content), ({ type }, index) =>
    types.includes(String(type))
      ? undefined
      : `Invalid value: '${String(type)}' in '${place}[${index}].type'. Supported values are: '${types.join("', '")}'.`,
  );
}
