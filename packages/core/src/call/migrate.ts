import { messageForModel } from '../base/host-paths.ts';
import { canonicalJson, toJson } from '../base/json.ts';
import type { JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import type { CompiledTool } from './compile.ts';
import type { RequestedCall } from './prepare.ts';

/** A stored call as today's version of its tool takes it, or why it stays as it is. */
export interface Migration {
  readonly call: RequestedCall;
  /** The input as it is stored, if that is another. */
  readonly migratedFrom?: JsonObject;
  /** In one sentence, if the tool could not migrate the call. */
  readonly problem?: string;
}

/** Migrates a stored call, unless it was made for this version of its tool. Never throws. */
export async function migrateStored(
  { tool, input: schema, fingerprint }: CompiledTool,
  call: RequestedCall,
): Promise<Migration> {
  const { input, name, stored = {} } = call;
  if (tool.migrateCall === undefined || stored.toolFingerprint === (await fingerprint())) return { call };
  try {
    const migrated = toJson(tool.migrateCall(JSON.parse(JSON.stringify(input)) as JsonObject, { name, ...stored }));
    if (!isObject(migrated)) return { call, problem: unfit(tool.name, 'it gave no object') };
    if (canonicalJson(migrated) === canonicalJson(input)) return { call };
    const { issues } = await schema['~standard'].validate(JSON.parse(JSON.stringify(migrated)));
    if (issues === undefined) return { call: { ...call, input: migrated as JsonObject }, migratedFrom: input };
    return { call, problem: unfit(tool.name, `what it gave is not valid: ${issues[0]?.message ?? ''}`) };
  } catch (error) {
    return { call, problem: unfit(tool.name, messageForModel(error)) };
  }
}

function unfit(name: string, why: string): string {
  return `This call was made for an earlier version of "${name}", and could not be migrated: ${why}`;
}
