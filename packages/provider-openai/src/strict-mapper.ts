import type { ModelRequest } from '@utensil/core';
import type { Chosen } from '@utensil/core/provider';
import type { SchemaOf } from './strict.ts';

/** Choice of the strict tools of a model. */
export interface Strictness {
  readonly modelId: string;
  /** Tools whose arguments the API validates. Default none. */
  readonly strict?: Chosen | undefined;
}

type Mapper<Body> = (request: ModelRequest) => Body;

/** Maps requests. What makes tools strict is loaded with the first request of a model that has such tools. */
export function withStrictTools<Body>(
  { modelId, strict = false }: Strictness,
  create: (schemaOf?: SchemaOf) => Mapper<Body>,
): Mapper<Body | Promise<Body>> {
  if (strict === false) return create();
  let map: Mapper<Body> | undefined;
  return async function toRequest(request) {
    const { strictSchemas } = await import('./schema-code.ts');
    map ??= create(strictSchemas(modelId, strict));
    return map(request);
  };
}
