import { defineTool, option, result } from '@utensil/core';
import { employ, needs } from './employ.ts';
import { spawnInput } from './input.ts';
import { outcomeCard, outcomeStatus, outcomeText } from './outcome.ts';
import { agentPrompt } from './prompt.ts';
import type { ReturnMode } from './return.ts';

const name = 'spawn_agent';

const description = `Has an agent work on a task by itself, with tools, and gives its answer. Several that only read (mode read_only) work at the same time when they are called in one turn.
Use it for work that needs many steps of which only the result matters, such as a search or a review, or for several tasks that do not depend on each other.
The answer ends with the id of the agent, with which you can continue it: it remembers its work. Say each time which mode, tools, persona and model it is to have.`;

const returnModes: readonly { readonly value: ReturnMode; readonly label: string }[] = [
  { value: 'no-return', label: 'Its last message is the answer' },
  { value: 'both', label: 'It may return a value besides its last message' },
  { value: 'return-only', label: 'Only its returned value is the answer' },
  { value: 'enforced', label: 'It fails if it returns nothing' },
  { value: 'auto-enforced', label: 'It is asked again if it returns nothing' },
];

/**
 * Agents: nested runs, each with its own task, tools, model, persona and files.
 *
 * @example
 * ```ts
 * import { createFiles, createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { createAgents, modelTable, spawnAgentTool } from '@utensil/tool-agent';
 *
 * const fast = scriptedModel([{ text: 'There are three.' }]);
 * const host = {
 *   files: createFiles(memoryStorage()),
 *   models: modelTable({ fast }),
 *   agents: createAgents(),
 * };
 * const toolset = resolveToolset(createRegistry([spawnAgentTool]), emptySettings, host);
 * const model = scriptedModel([
 *   { calls: [{ name: 'spawn_agent', input: { task: 'Count the notes.', model: 'fast' } }] },
 *   { text: 'Three notes.' },
 * ]);
 * const { text } = await run({ model, toolset, messages: 'How many notes are there?' }).result;
 * console.log(text); // Three notes.
 * ```
 */
export const spawnAgentTool = /* @__PURE__ */ defineTool({
  name,
  title: 'Agent',
  description,
  formerNames: ['minion'],
  input: spawnInput,
  options: {
    returnMode: option.select({
      label: 'Answers',
      description: 'How an agent gives its answer.',
      default: 'both',
      choices: returnModes,
    }),
    deferReturn: option.boolean({
      label: 'Continue after returning',
      description:
        'Returning a value does not end an agent: it continues until it has finished, and the last value counts.',
      default: false,
    }),
    files: option.select({
      label: 'Files',
      description:
        'Own: each agent has its own directory below /minions, plus /share and /sharerw. Project: it has the files of the project.',
      default: 'own',
      choices: [
        { value: 'own', label: 'Its own' },
        { value: 'project', label: "The project's" },
      ],
    }),
    models: option.modellist({
      label: 'Models',
      description: 'Models that agents may use. Empty: all models of the app.',
    }),
    model: option.model({
      label: 'Model',
      description: 'Default model of agents. Empty: the model of the conversation.',
    }),
  },
  ui: { subtitle: 'Delegates tasks to agents', icon: '🤖', category: 'agents' },
  effects: ({ mode, files_as }) => (mode === 'default' || files_as === 'copy' ? 'write' : 'read'),
  replayable: true, // the agent's thread contains its work
  requires: needs,
  timeoutMs: 0, // the limits of its run apply
  prompt: (options, { host }) => agentPrompt(host.files, host.models, options.models),
  async execute(input, options, context) {
    const output = await employ({ input, options, context });
    return result({ output, isError: output.failed });
  },
  render: {
    title: ({ task }) => (typeof task === 'string' ? `Agent: ${task}` : 'Agent'),
    model: (output) => outcomeText(output, name),
    status: outcomeStatus,
    user: outcomeCard,
  },
});
