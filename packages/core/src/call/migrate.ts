import { fingerprintOf } from './tool-fingerprint.ts';
import type { Eventually } from '../base/eventually.ts';
import { messageForModel } from '../base/host-paths.ts';
import { canonicalJson, isObject, toJson } from '../base/json.ts';
import type { JsonObject } from '../base/json.ts';
import type { ToolCall } from '../model/model.ts';
import { failure } from '../tool/result.ts';
import type { ToolResult } from '../tool/result.ts';
import type { StoredCall } from '../tool/tool.ts';
import type { CompiledTool } from './compile.ts';

/** A stored call to prepare. */
type LeftCall = Pick<ToolCall, 'name' | 'input' | 'invalidInput'> & {
  readonly stored?: Pick<StoredCall, 'toolFingerprint'>;
};

/** Note about its preparation. */
interface Prepared {
  readonly repairs: readonly string[];
  readonly refusal?: ToolResult;
}

/** A stored call in the form of the current tool, or the reason why it is unchanged. */
interface Migration {
  readonly call: LeftCall;
  /** The stored input, if it differs. */
  readonly migratedFrom?: JsonObject;
  /** Reason why the tool could not migrate the call, in one sentence. */
  readonly problem?: string;
}

const migratedText = 'The input was migrated from an earlier version of the tool.';

/** Prepares a stored call in the form of the current tool, and records the outcome among its repairs. Never throws. */
export async function prepareStored<Ready extends Prepared>(
  compiled: CompiledTool,
  call: LeftCall,
  prepare: (migrated: LeftCall) => Eventually<Ready>,
): Promise<Ready & { readonly migratedFrom?: JsonObject }> {
  const { call: migrated, migratedFrom, problem } = await migrateStored(compiled, call);
  const ready = await prepare(migrated);
  if (migratedFrom !== undefined) return { ...ready, migratedFrom, repairs: [migratedText, ...ready.repairs] };
  if (problem === undefined) return ready;
  const { refusal } = ready;
  const why = refusal && failure(refusal.code ?? 'invalid_input', `${String(refusal.output)}\n${problem}`);
  return { ...ready, ...(why && { refusal: why }), repairs: [problem, ...ready.repairs] };
}

/** Migrates a stored call, unless it was made for this version of its tool. */
async function migrateStored(compiled: CompiledTool, call: LeftCall): Promise<Migration> {
  const { tool, input: schema } = compiled;
  const { input, name, stored = {} } = call;
  if (tool.migrateCall === undefined || stored.toolFingerprint === fingerprintOf(compiled)) return { call };
  try {
    const migrated = toJson(tool.migrateCall(JSON.parse(JSON.stringify(input)) as JsonObject, { name, ...stored }));
    if (!isObject(migrated)) return { call, problem: unfit(tool.name, 'it gave no object') };
    if (canonicalJson(migrated) === canonicalJson(input)) return { call };
    const { issues } = await schema['~standard'].validate(JSON.parse(JSON.stringify(migrated)));
    if (issues === undefined) return { call: { ...call, input: migrated }, migratedFrom: input };
    return { call, problem: unfit(tool.name, `what it gave is not valid: ${issues[0]?.message ?? ''}`) };
  } catch (error) {
    return { call, problem: unfit(tool.name, messageForModel(error)) };
  }
}

function unfit(name: string, why: string): string {
  return `This call was made for an earlier version of "${name}", and could not be migrated: ${why}`;
}
