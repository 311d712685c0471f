import { fingerprintNow } from '../base/hash-now.ts';
import type { JsonObject } from '../base/json.ts';
import { toJsonSchema } from '../schema/schema.ts';
import type { Tool } from '../tool/tool.ts';
import type { CompiledTool } from './compile.ts';

/** Identifies the portable definition of a tool and its effects; of a `foreign` tool, also its title, its output and its origin. */
export function fingerprintOf(compiled: CompiledTool): string {
  const { tool, portable } = compiled;
  return (compiled.print ??= fingerprintNow({ ...portable, ...effectsOf(tool), ...foreignPart(tool) }));
}

function effectsOf({ effects, openWorld = false, idempotent = false }: Tool): JsonObject {
  return { effects: typeof effects === 'string' ? effects : 'by input', openWorld, idempotent };
}

/** Every part of a tool that its foreign source can change: a grant is bound to the version that the user saw. */
function foreignPart({ foreign, title, output, origin }: Tool): JsonObject {
  if (foreign !== true) return {};
  return {
    foreign,
    ...(title !== undefined && { title }),
    ...(output && { output: toJsonSchema(output) }),
    ...(origin !== undefined && { origin }),
  };
}
