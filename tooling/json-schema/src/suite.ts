import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isUtensilError, jsonSchema } from '@utensil/core';
import type { Json, JsonSchema } from '@utensil/core';

/** A group of the suite: values that are valid or invalid by one schema. */
export interface Group {
  /** Path with its draft: `draft7/ref.json`. */
  readonly file: string;
  readonly description: string;
  readonly schema: JsonSchema | boolean;
  readonly tests: readonly Case[];
}

interface Case {
  readonly description: string;
  readonly data: Json;
  readonly valid: boolean;
}

const folder = join(import.meta.dirname, '../suite');

/** Groups of a draft. */
export function groupsOf(draft: string): readonly Group[] {
  return readdirSync(join(folder, draft)).flatMap((name) => {
    const groups = JSON.parse(readFileSync(join(folder, draft, name), 'utf8')) as readonly Omit<Group, 'file'>[];
    return groups.map((group) => ({ ...group, file: `${draft}/${name}` }));
  });
}

/** Verdict of `jsonSchema()` on a case: valid or not, or the reason for a refusal. */
export async function verdictOf({ file, schema }: Group, { data }: Case): Promise<boolean | string> {
  // The suite omits `$schema` in draft 7, and `jsonSchema()` takes no boolean at the top level, so the schema is
  // wrapped.
  const written = file.startsWith('draft7/') ? inDraft7(schema) : schema;
  try {
    const whole = typeof written === 'boolean' ? { allOf: [written] } : written;
    return (await jsonSchema(whole)['~standard'].validate(data)).issues === undefined;
  } catch (error) {
    if (isUtensilError(error, 'schema_unsupported')) return error.message;
    throw error;
  }
}

function inDraft7(schema: JsonSchema | boolean): JsonSchema | boolean {
  return typeof schema === 'boolean' ? schema : { $schema: 'http://json-schema.org/draft-07/schema#', ...schema };
}
