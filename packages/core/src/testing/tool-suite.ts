import type { Host } from '../tool/capability.ts';
import { compileTool } from '../call/compile.ts';
import type { Json, JsonObject, JsonSchema } from '../base/json.ts';
import { plainObjectSchema } from '../schema/plain-object.ts';
import { admitsType, alternatives } from '../schema/walk.ts';
import type { KnownApi } from '../model/model.ts';
import { optionProblem } from '../tool/option.ts';
import { createRegistry } from '../tool/registry.ts';
import { runTool } from '../toolset/run-tool.ts';
import { emptySettings, withEnabled } from '../settings/settings.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import type { Toolset } from '../toolset/toolset.ts';
import { assert, assertEqual } from './assert.ts';
import type { Test } from './assert.ts';

/** Setup to test a tool. */
export interface ToolSuiteOptions {
  /** Creates the capabilities that the tool `requires`, for each test separately. */
  host?(): Host | Promise<Host>;
  /** Calls that must succeed. At least one. */
  readonly examples: readonly JsonObject[];
  readonly options?: { readonly [id: string]: Json };
}

const apis: readonly KnownApi[] = [
  'anthropic-messages',
  'openai-responses',
  'openai-chat',
  'gemini',
  'ollama-chat',
  'text',
];

/** Names of the tests that {@link toolSuite} registers. */
export const toolCases = [
  'has a definition that every api accepts, the same byte for byte each time',
  'has options whose defaults are valid',
  'answers each example with JSON and some text for the model',
  'accepts each example, and titles it',
  'refuses wrong arguments with a text that names the field',
] as const;

/**
 * Registers the tests that every tool should pass.
 *
 * @example
 * ```ts no-run
 * import { toolSuite } from '@utensil/core/testing';
 * import { test } from 'vitest';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { createFiles } from '@utensil/core';
 * import { filesystemTool } from '@utensil/tool-filesystem';
 *
 * toolSuite({ test }, filesystemTool, {
 *   host: () => ({ files: createFiles(memoryStorage()) }),
 *   examples: [{ command: 'create', path: '/a.txt', file_text: 'a' }],
 * });
 * ```
 */
export function toolSuite({ test }: { readonly test: Test }, tool: Tool, suite: ToolSuiteOptions): void {
  assert(suite.examples.length > 0, 'toolSuite needs at least one example call.');
  const host = async (): Promise<Host> => (await suite.host?.()) ?? {};
  const toolset = async (subject = tool): Promise<Toolset> =>
    resolveToolset(createRegistry([subject]), withEnabled(emptySettings, tool, true), await host());
  const bodies: Readonly<Record<(typeof toolCases)[number], () => Promise<void>>> = {
    [toolCases[0]]: async () => checkDefinitions(await toolset(told(tool)), await toolset(told(tool))),
    [toolCases[1]]: async () => checkOptions(tool),
    [toolCases[2]]: async () => {
      for (const input of suite.examples) {
        const { output, isError, modelParts } = await runTool(tool, input, { host: await host(), ...optionsOf(suite) });
        assert(!isError, `${JSON.stringify(input)} failed: ${JSON.stringify(output)}`);
        assert(modelParts.length > 0, `${JSON.stringify(input)} shows the model nothing`);
      }
    },
    [toolCases[3]]: async () => {
      for (const input of suite.examples) {
        const { title, refusal, repairs } = await (await toolset()).prepare({ name: tool.name, input });
        assert(refusal === undefined, `${JSON.stringify(input)} is refused: ${JSON.stringify(refusal?.output)}`);
        assertEqual(repairs, [], `${JSON.stringify(input)} had to be repaired`);
        assert(title !== '', `${JSON.stringify(input)} has no title`);
      }
    },
    [toolCases[4]]: async () => checkRefusals(tool, await host()),
  };
  for (const name of toolCases) test(name, bodies[name]);
}

/** The tool's definition for models, even if it is only shown together with other tools. */
function told(tool: Tool): Tool {
  const { role: _, ...rest } = tool;
  return { ...rest, defer: false };
}

function optionsOf({ options }: ToolSuiteOptions): { readonly options?: { readonly [id: string]: Json } } {
  return options === undefined ? {} : { options };
}

function checkDefinitions(once: Toolset, again: Toolset): void {
  assertEqual(
    once.unavailable.map(({ reason }) => reason),
    [],
    'the tool is unavailable',
  );
  for (const api of apis) {
    const [definition] = once.definitions({ api });
    assert(definition !== undefined, `no definition for ${api}`);
    assertEqual(
      again.definitions({ api }),
      [definition],
      `the definition for ${api} differs from one time to the next`,
    );
    assertEqual(JSON.parse(JSON.stringify(definition)), definition, `the definition for ${api} is not JSON`);
    const isDescribed = definition.type === 'native' || definition.description.trim() !== '';
    assert(isDescribed, `the definition for ${api} has no description`);
  }
}

function checkOptions({ options = {} }: Tool): void {
  for (const [id, definition] of Object.entries(options)) {
    if (definition.kind === 'secret') continue;
    const problem = optionProblem(definition, definition.default);
    assert(problem === undefined, `the default of option "${id}" ${problem}`);
  }
}

const ofEveryType: readonly Json[] = [{ unexpected: [true] }, 'unexpected', 0.5, true, [[['unexpected']]]];

/** Gives each field in turn a value that its schema does not accept, even after repair. */
async function checkRefusals(tool: Tool, host: Host): Promise<void> {
  const { inputSchema } = compileTool(tool);
  const { properties } = plainObjectSchema(inputSchema);
  for (const [field, schema] of Object.entries(properties as Readonly<Record<string, JsonSchema>>)) {
    const choices = alternatives(schema, inputSchema);
    const isWrong = (value: Json): boolean =>
      choices.every((choice) => !admitsType(choice, value) && choice['type'] !== 'array');
    const wrong = ofEveryType.find(isWrong);
    if (wrong === undefined) continue; // it accepts anything, or an array, which a single value is repaired to
    const { isError, output } = await runTool(tool, { [field]: wrong }, { host });
    assert(isError, `"${field}": ${JSON.stringify(wrong)} was accepted`);
    assert(String(output).includes(field), `the refusal does not name the field "${field}": ${String(output)}`);
  }
}
