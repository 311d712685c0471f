import type { JsonObject } from '../../base/json.ts';
import { refuseSchema } from './document.ts';
import type { SchemaDocument } from './document.ts';

/** By schema, the schemas that it applies to the same value. */
export type SameValueEdges = ReadonlyMap<JsonObject, readonly JsonObject[]>;

/** Rejects a schema that would be applied to the same value endlessly. */
export function refuseLoops(edges: SameValueEdges, document: SchemaDocument): void {
  const done = new Set<JsonObject>();
  for (const start of edges.keys()) {
    const around = new Set<JsonObject>();
    const open: { readonly schema: JsonObject; readonly isLeft?: boolean }[] = [{ schema: start }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { schema, isLeft = false } = next;
      if (isLeft) {
        around.delete(schema);
        done.add(schema);
      } else if (around.has(schema)) {
        refuseSchema(
          document.locationOf(schema),
          'refers to itself for the same value, which never ends',
          'refer to it from "properties" or "items"',
        );
      } else if (!done.has(schema)) {
        around.add(schema);
        open.push({ schema, isLeft: true });
        for (const inner of edges.get(schema) ?? []) open.push({ schema: inner });
      }
    }
  }
}
