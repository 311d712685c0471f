import {
  type Fields,
  type Rule,
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
import type { Reply } from '../loopback.ts';
import { schemasIn } from './schemas.ts';

/**
 * Answers a request of `generateContent` as Google does, where Google refuses it. The model is in the address of the
 * request; the third generation wants its signatures back.
 */
export function refuseGemini(body: unknown, model = 'gemini-3-pro'): Reply | undefined {
  const message = problemOf(body, [...rules, keepsSignatures(model), keepsToolsApart(model)]);
  return message === undefined
    ? undefined
    : refusal(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } });
}

const members = [
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'safetySettings', 'cachedContent'],
  ...['labels', 'model', 'serviceTier', 'store'],
];

const generationMembers = [
  ...['audioTimestamp', 'audioTranscriptionConfig', 'candidateCount', 'enableAffectiveDialog'],
  ...['enableEnhancedCivicAnswers', 'frequencyPenalty', 'logprobs', 'maxOutputTokens', 'mediaResolution'],
  ...['modelSelectionConfig', 'presencePenalty', 'responseFormat', 'responseJsonSchema', 'responseLogprobs'],
  ...['responseMimeType', 'responseModalities', 'responseSchema', 'routingConfig', 'seed', 'speechConfig'],
  ...['stopSequences', 'temperature', 'thinkingConfig', 'topK', 'topP', 'translationConfig'],
];

const unknownName = (name: string, place: string): string =>
  `Invalid JSON payload received. Unknown name "${name}"${place === '' ? '' : ` at '${place}'`}: Cannot find field.`;

const hasMembers: Rule = (body) => {
  const unknown = unknownKey(body, members);
  if (unknown !== undefined) return unknownName(unknown, '');
  const setting = unknownKey(fields(body['generationConfig']), generationMembers);
  return setting && unknownName(setting, 'generation_config');
};

const partsOf = ({ parts }: Fields): readonly Fields[] => list(parts);

const hasContents: Rule = ({ contents }) => {
  if (list(contents).length === 0) return '* GenerateContentRequest.contents: contents is not specified';
  return first(list(contents), (content, index) => {
    if (content['role'] !== 'user' && content['role'] !== 'model') return 'Please use a valid role: user, model.';
    if (partsOf(content).length === 0)
      return `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.`;
    return first(partsOf(content), (part, at) => partProblem(part, `contents[${index}].parts[${at}]`));
  });
};

const data = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];
const besides = [
  'thought',
  'thoughtSignature',
  'videoMetadata',
  'mediaResolution',
  'partMetadata',
  'audioTranscription',
  'mediaProcessing',
  'speechMetadata',
];

function partProblem(part: Fields, place: string): string | undefined {
  const unknown = unknownKey(part, [...data, ...besides]);
  if (unknown !== undefined) return unknownName(unknown, place);
  if (data.filter((key) => key in part).length !== 1)
    return `* GenerateContentRequest.${place}.data: required oneof field 'data' must have one initialized field`;
  const { thoughtSignature: signature, inlineData, functionCall: called, functionResponse: answered } = part;
  if (signature !== undefined && !isBase64(signature))
    return `Invalid value at '${place}.thought_signature' (TYPE_BYTES), Base64 decoding failed`;
  if (inlineData !== undefined) return blobProblem(fields(inlineData), place);
  if (called !== undefined) return callProblem(fields(called), place);
  return answered === undefined ? undefined : responseProblem(fields(answered), place);
}

function blobProblem({ mimeType, data: bytes }: Fields, place: string): string | undefined {
  if (!isText(mimeType)) return `* GenerateContentRequest.${place}.inline_data.mime_type: must not be empty`;
  return isBase64(bytes)
    ? undefined
    : `Invalid value at '${place}.inline_data.data' (TYPE_BYTES), Base64 decoding failed`;
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(name);
}

const invalidName = (place: string): string =>
  `* GenerateContentRequest.${place}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128.`;

function callProblem({ name, args }: Fields, place: string): string | undefined {
  if (!isName(name)) return invalidName(`${place}.function_call`);
  return args === undefined || isObject(args)
    ? undefined
    : `Invalid value at '${place}.function_call.args' (type.googleapis.com/google.protobuf.Struct)`;
}

function responseProblem({ name, response, parts }: Fields, place: string): string | undefined {
  if (!isName(name)) return invalidName(`${place}.function_response`);
  if (!isObject(response))
    return `Invalid value at '${place}.function_response.response' (type.googleapis.com/google.protobuf.Struct)`;
  return first(list(parts), (part, index) => {
    const unknown = unknownKey(part, ['inlineData', 'fileData']);
    if (unknown !== undefined) return unknownName(unknown, `${place}.function_response.parts[${index}]`);
    return part['inlineData'] === undefined ? undefined : blobProblem(fields(part['inlineData']), place);
  });
}

const callsIn = (content: Fields | undefined): readonly Fields[] =>
  partsOf(fields(content)).flatMap(({ functionCall: called }) => (called === undefined ? [] : [fields(called)]));
const responsesIn = (content: Fields | undefined): readonly Fields[] =>
  partsOf(fields(content)).flatMap(({ functionResponse: answered }) =>
    answered === undefined ? [] : [fields(answered)],
  );

const hasTurns: Rule = ({ contents }) => {
  const all = list(contents);
  return first(all, (content, index) => {
    const before = all[index - 1];
    const [asked, given] = [callsIn(before), responsesIn(content)];
    if (callsIn(content).length > 0 && (content['role'] !== 'model' || before?.['role'] !== 'user'))
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    if (given.length > 0 && (content['role'] !== 'user' || asked.length === 0))
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    const isOpen = callsIn(content).length > 0 && index === all.length - 1;
    if (asked.length !== given.length || isOpen)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    const isOutOfOrder = asked.some(
      (call, at) =>
        call['name'] !== given[at]?.['name'] || (call['id'] ?? given[at]?.['id']) !== (given[at]?.['id'] ?? call['id']),
    );
    return isOutOfOrder
      ? 'Please ensure that function response parts are in the order of the function call parts of the function call turn.'
      : undefined;
  });
};

const hasUniqueIds: Rule = ({ contents }) => {
  const ids = list(contents)
    .flatMap(callsIn)
    .flatMap(({ id }) => (isText(id) ? [id] : []));
  return duplicate(ids) === undefined ? undefined : 'Please ensure that the ids of function calls are unique.';
};

/** In the exchange that is going on, the first call of each step is signed. */
function keepsSignatures(model: string): Rule {
  return ({ contents }) => {
    if (!model.includes('gemini-3')) return undefined;
    const all = list(contents);
    const start = all.findLastIndex((content) => content['role'] === 'user' && responsesIn(content).length === 0);
    return first(all.slice(start + 1), (content) => {
      const call = partsOf(content).find((part) => 'functionCall' in part);
      if (call === undefined || isText(call['thoughtSignature'])) return undefined;
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${String(fields(call['functionCall'])['name'])}\`.`;
    });
  };
}

const declarationsOf = (tools: unknown): readonly Fields[] =>
  list(tools).flatMap(({ functionDeclarations: declared }) => list(declared));

const hasTools: Rule = ({ tools }) => {
  const isEmpty = list(tools).some(
    (tool) => 'functionDeclarations' in tool && list(tool['functionDeclarations']).length === 0,
  );
  if (isEmpty) return '* GenerateContentRequest.tools[0].function_declarations: must not be empty.';
  const declared = declarationsOf(tools);
  if (declared.length > 512)
    return `* GenerateContentRequest.tools: at most 512 function declarations are supported, got ${declared.length}.`;
  const twice = duplicate(declared.map(({ name }) => name));
  if (twice !== undefined) return `Duplicate function declaration found: ${String(twice)}`;
  return first(declared, (each, index) => declarationProblem(each, `tools[0].function_declarations[${index}]`));
};

function declarationProblem(declaration: Fields, place: string): string | undefined {
  const { name, parameters, parametersJsonSchema: json } = declaration;
  const unknown = unknownKey(declaration, [
    'name',
    'description',
    'parameters',
    'parametersJsonSchema',
    'response',
    'responseJsonSchema',
    'behavior',
  ]);
  if (unknown !== undefined) return unknownName(unknown, place);
  if (!isName(name)) return invalidName(place);
  if (parameters !== undefined && json !== undefined)
    return `* GenerateContentRequest.${place}: parameters and parameters_json_schema are mutually exclusive.`;
  const names = Object.keys(fields(fields(parameters ?? json)['properties']));
  const odd = names.find((each) => !/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(each));
  if (odd !== undefined)
    return `* GenerateContentRequest.${place}.parameters.properties: Invalid parameter name ${odd}.`;
  if (parameters !== undefined) return openApiProblem(fields(parameters), place);
  if (json === undefined) return undefined;
  return fields(json)['type'] === 'object'
    ? jsonSchemaProblem(fields(json), `${place}.parameters_json_schema`)
    : `* GenerateContentRequest.${place}.parameters_json_schema: schema should be of type object.`;
}

const jsonSchemaKeys = [
  ...['$anchor', '$defs', '$id', '$ref', 'additionalProperties', 'anyOf', 'description', 'enum', 'format', 'items'],
  ...['maxItems', 'maximum', 'minItems', 'minimum', 'oneOf', 'prefixItems', 'properties', 'propertyOrdering'],
  ...['required', 'title', 'type'],
];

/** Keywords that it does not know Google passes over, so that nobody is told of them; here they are an error. */
function jsonSchemaProblem(root: Fields, place: string): string | undefined {
  for (const { schema, path } of schemasIn(root)) {
    const at = [place, ...path].join('.');
    const unknown = unknownKey(schema, jsonSchemaKeys);
    if (unknown !== undefined) return unknownName(unknown, at);
    if ('$ref' in schema && Object.keys(schema).some((key) => !key.startsWith('$')))
      return `* GenerateContentRequest.${at}: no other fields may be set where $ref is.`;
    const { enum: values, required } = schema;
    if (Array.isArray(values) && !values.every((value) => typeof value === 'string' || typeof value === 'number'))
      return `* GenerateContentRequest.${at}.enum: only strings and numbers are supported.`;
    if (Array.isArray(required) && required.length === 0)
      return `* GenerateContentRequest.${at}.required: must not be empty.`;
  }
  return undefined;
}

const openApiKeys = [
  ...[
    'anyOf',
    'default',
    'description',
    'enum',
    'example',
    'format',
    'items',
    'maxItems',
    'maxLength',
    'maxProperties',
  ],
  ...['maximum', 'minItems', 'minLength', 'minProperties', 'minimum', 'nullable', 'pattern', 'properties'],
  ...['propertyOrdering', 'required', 'title', 'type'],
];

/** `parameters` is no JSON Schema, but a selection of OpenAPI. */
function openApiProblem(root: Fields, place: string): string | undefined {
  for (const { schema, path } of schemasIn(root)) {
    const at = [`${place}.parameters`, ...path].join('.');
    const unknown = unknownKey(schema, openApiKeys);
    if (unknown !== undefined) return unknownName(unknown, at);
    const type = String(schema['type'] ?? '').toUpperCase();
    if (!['', 'STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'].includes(type))
      return `Invalid value at '${at}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), "${type}"`;
    if (type === 'OBJECT' && Object.keys(fields(schema['properties'])).length === 0)
      return `* GenerateContentRequest.${at}.properties: should be non-empty for OBJECT type`;
    if (type === 'ARRAY' && schema['items'] === undefined)
      return `* GenerateContentRequest.${at}.items: missing field.`;
    if (schema['enum'] !== undefined && type !== 'STRING')
      return `* GenerateContentRequest.${at}.enum: only allowed for STRING type`;
  }
  return undefined;
}

const hasToolConfig: Rule = ({ tools, toolConfig }) => {
  const { mode, allowedFunctionNames: allowed } = fields(fields(toolConfig)['functionCallingConfig']);
  if (mode === undefined) return undefined;
  if (!['AUTO', 'ANY', 'NONE', 'VALIDATED'].includes(String(mode)))
    return `Invalid value at 'tool_config.function_calling_config.mode' (type.googleapis.com/google.ai.generativelanguage.v1beta.FunctionCallingConfig.Mode), "${String(mode)}"`;
  const names = declarationsOf(tools).map(({ name }) => name);
  if (names.length === 0) return 'Function calling config is set without function_declarations.';
  if (allowed === undefined) return undefined;
  if (mode === 'AUTO' || mode === 'NONE')
    return 'Allowed function names should only be set when function calling mode is ANY or VALIDATED.';
  const unknown = Array.isArray(allowed) ? allowed.find((name) => !names.includes(name)) : undefined;
  return unknown === undefined
    ? undefined
    : `Allowed function name ${String(unknown)} is not in function_declarations.`;
};

/** Up to the second generation there are functions, or Google's own tools, or an answer in JSON. */
function keepsToolsApart(model: string): Rule {
  return ({ tools, generationConfig }) => {
    if (!/gemini-[12]/.test(model) || declarationsOf(tools).length === 0) return undefined;
    if (list(tools).some((tool) => !('functionDeclarations' in tool)))
      return 'Tool use with function calling is unsupported';
    return fields(generationConfig)['responseMimeType'] === 'application/json'
      ? "Function calling with a response mime type: 'application/json' is unsupported"
      : undefined;
  };
}

const hasSystem: Rule = ({ systemInstruction: system }) => {
  if (system === undefined) return undefined;
  const parts = partsOf(fields(system));
  return parts.length > 0 && parts.every(({ text }) => isText(text))
    ? undefined
    : '* GenerateContentRequest.system_instruction.parts: must not be empty.';
};

const rules: readonly Rule[] = [
  isWellFormed,
  hasMembers,
  hasContents,
  hasTurns,
  hasUniqueIds,
  hasTools,
  hasToolConfig,
  hasSystem,
];
