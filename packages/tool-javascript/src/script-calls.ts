import { isObject, toJson, UtensilError } from '@utensil/core';
import type { JsonObject, SandboxScript, ToolContext, ToolDefinition } from '@utensil/core';

/** Maximum number of tool calls per script. */
export const mostCalls = 200;

/** Maximum number of parallel tool calls per script; further ones wait. */
const mostAtOnce = 16;

/** Maximum characters of an output, as JSON, that reach a script. */
const longestOutput = 1_000_000;

/** Maximum characters of the error that a failed call throws. */
const longestError = 10_000;

type Control = Awaited<ReturnType<ToolContext['call']>>['control'];

/** Functions with which a script calls tools, and their results. */
export interface ScriptCalls extends Required<Pick<SandboxScript, 'hostFunctions' | 'libraries'>> {
  /** Rejects further calls and waits for pending ones. */
  end(): Promise<void>;
  /** The end of the run, if a tool requested it. */
  control(): Control;
}

/** Exposes the tools as functions of the sandbox, below `tools`. */
export function createScriptCalls(
  definitions: readonly Pick<ToolDefinition, 'name'>[],
  call: ToolContext['call'],
): ScriptCalls {
  const underWay = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let made = 0;
  let running = 0;
  let isOver = false;
  let control: Control;

  async function callTool(name: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    if (++made > mostCalls)
      throw new UtensilError('tool_failed', `A script can make ${mostCalls} tool calls: continue in another script.`);
    const input = inputOf(name, given);
    if (running < mostAtOnce) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      if (isOver || signal.aborted) throw new UtensilError('tool_cancelled', 'The script is over.');
      const work = call(name, input, { signal });
      underWay.add(work);
      const result = await work;
      underWay.delete(work);
      control ??= result.control;
      return outputOf(name, result);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next(); // passes its place on
    }
  }

  const names = definitions.map(({ name }) => name);
  return {
    hostFunctions: Object.fromEntries(
      names.map((name) => [`tools.${aliasOf(name)}`, (input, signal) => callTool(name, input, signal)]),
    ),
    libraries: namesLibrary(names),
    async end() {
      isOver = true;
      await Promise.allSettled(underWay);
    },
    control: () => control,
  };
}

/** A sandbox accepts only identifiers; tool names contain no `$`, so aliases are unique. */
function aliasOf(name: string): string {
  return name.replaceAll('-', '$');
}

/** Runs first: restores tool names that are not identifiers. */
function namesLibrary(names: readonly string[]): ScriptCalls['libraries'] {
  const lines = names
    .filter((name) => name.includes('-'))
    .map((name) => `tools[${JSON.stringify(name)}] = tools.${aliasOf(name)}; delete tools.${aliasOf(name)};`);
  return lines.length === 0 ? [] : [{ name: 'tools', code: lines.join('\n') }];
}

function inputOf(name: string, given: unknown): JsonObject {
  const input = given === undefined || given === null ? {} : toJson(given);
  if (isObject(input)) return input;
  throw new UtensilError('invalid_input', `The input of tool "${name}" must be an object.`);
}

function outputOf(
  name: string,
  { output, modelParts, isError, code }: Awaited<ReturnType<ToolContext['call']>>,
): unknown {
  if (isError) {
    const text = modelParts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    throw new UtensilError(code ?? 'tool_failed', text.slice(0, longestError));
  }
  const { length } = JSON.stringify(output);
  if (length <= longestOutput) return output;
  const problem = `The output of tool "${name}" has ${length} characters; a script can receive ${longestOutput}: request less at a time.`;
  throw new UtensilError('EFBIG', problem);
}
