import { type FunctionDefinition, type Json, type JsonObject, isObject } from '@utensil/core';

/** A tool's schema in the keywords that Gemini reads; what the others say is told in descriptions. */
export function toSchema({ inputSchema }: FunctionDefinition): JsonObject {
  return lowerSchema(inputSchema);
}

/** https://ai.google.dev/gemini-api/docs/structured-output */
const known: ReadonlySet<string> = new Set(
  `$id $defs $ref $anchor type format title enum items prefixItems minItems maxItems minimum maximum anyOf oneOf
  properties additionalProperties required propertyOrdering`.split(/\s+/),
);

/** Any schema in those keywords. */
export function lowerSchema(schema: JsonObject): JsonObject {
  const { description, $schema: _1, $comment: _2, ...said } = inKnownWords(schema);
  const lowered: Record<string, Json> = {};
  const notes: string[] = [];
  for (const [key, value] of Object.entries(said)) {
    if (known.has(key) && isRead(key, value)) lowered[key] = lowerKeyword(key, value);
    else if (key !== 'required') notes.push(`${key}: ${JSON.stringify(value)}`);
  }
  const told = [description, notes.length > 0 && `(${notes.join(', ')})`].filter(Boolean).join(' ');
  return told === '' ? lowered : { ...lowered, description: told };
}

/** A sum of one is that one, a reference stands alone, and definitions have one name. */
function inKnownWords(given: JsonObject): JsonObject {
  const { allOf, ...rest } = given;
  const part = Array.isArray(allOf) && allOf.length === 1 ? (allOf[0] as Json) : undefined;
  if (isObject(part) && !Object.keys(part).some((key) => key in rest)) return inKnownWords({ ...part, ...rest });
  const { $ref, const: only, definitions, ...schema } = given;
  const reference = { $ref: String($ref).replace('#/definitions/', '#/$defs/') };
  const isAlone = Object.keys(schema).length === 0;
  return {
    ...schema,
    ...(definitions !== undefined && { $defs: definitions }),
    ...(only !== undefined && { enum: [only] }),
    ...($ref !== undefined && (isAlone ? reference : { ['anyOf' in schema ? 'oneOf' : 'anyOf']: [reference] })),
  };
}

/** An enumeration has texts or numbers; a list of required properties is not empty. */
function isRead(key: string, value: Json): boolean {
  if (!Array.isArray(value)) return true;
  return key === 'required' ? value.length > 0 : key !== 'enum' || value.every((each) => /str|num/.test(typeof each));
}

function lowerKeyword(key: string, value: Json): Json {
  if (!isObject(value) || (key !== 'properties' && key !== '$defs')) return lowerAll(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, schema]) => [name, isObject(schema) ? lowerSchema(schema) : {}]),
  );
}

function lowerAll(value: Json): Json {
  if (Array.isArray(value)) return value.map(lowerAll);
  return isObject(value) ? lowerSchema(value) : value;
}
