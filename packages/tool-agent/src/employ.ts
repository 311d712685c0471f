import { messagesOf, callsOf, UtensilError, host } from '@utensil/core';
import { sha256Hex } from '@utensil/core/files';
import type {
  Files,
  Json,
  Message,
  Model,
  Models,
  NewMessage,
  SubRunOptions,
  Thread,
  ToolContext,
} from '@utensil/core';
import { agentFiles } from './agent-files.ts';
import { agents } from './agents.ts';
import { giveFiles } from './given-files.ts';
import type { SpawnInput } from './input.ts';
import { instructionsFor } from './instructions.ts';
import { allowedModels } from './models.ts';
import { toOutcome } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { readPersona } from './persona.ts';
import { returnName, returnTool, storedReturn } from './return.ts';
import type { ReturnMode } from './return.ts';
import { doWork } from './work.ts';

/** Requirements of the tool on its host. */
export const needs = { files: host.files, models: host.models, agents };

/** A call of the tool. */
export interface Employment {
  readonly input: SpawnInput;
  readonly options: EmploymentOptions;
  readonly context: Pick<ToolContext<typeof needs>, 'host' | 'runId' | 'callId' | 'signal' | keyof InnerContext>;
}

type InnerContext = Pick<ToolContext, 'tools' | 'run' | 'progress'>;

/** Options set by the user. */
export interface EmploymentOptions {
  readonly returnMode: ReturnMode;
  readonly deferReturn: boolean;
  readonly files: 'own' | 'project';
  readonly models: readonly string[];
  readonly model: string;
}

/** Lets a new or continued agent work. */
export async function employ(employment: Employment): Promise<Outcome> {
  const { input, context } = employment;
  const id = input.agent ?? (await newId(context));
  if (!isId(id)) throw noAgent(id);
  return context.host.agents.use(id, (thread) => workOn(employment, { id, thread }));
}

/** An agent and its conversation so far. */
interface Agent {
  readonly id: string;
  readonly thread: Thread;
}

async function workOn({ input, options, context }: Employment, { id, thread }: Agent): Promise<Outcome> {
  context.signal.throwIfAborted(); // it may have waited for the agent to become free
  const { returnMode } = options;
  const { host } = context;
  const own = options.files === 'own' ? agentFiles(host.files, id) : host.files;
  const scope = await scopeOf(input, context);
  const model = modelFor(input, options, host.models);
  const instructions = instructionsFor(returnMode, await readPersona(host.files, input.persona));
  let returned: { readonly value: Json } | undefined;
  const verify = async (value: Json): Promise<string | undefined> =>
    host.agents.verify?.({ agent: id, task: input.task ?? '', value });
  const keep = (value: Json): void => void (returned = { value });
  const returning = returnTool({ thread, isDeferred: options.deferReturn, verify, keep });
  const run: SubRunOptions = {
    ...(model && { model }),
    messages: () => messagesFor(input, { id, thread }, { from: host.files, to: own }), // files are given once
    instructions,
    tools: scope.names,
    add: returnMode === 'no-return' ? [] : [returning],
    host: { files: own, agents: undefined }, // agents cannot start agents
    readOnly: input.mode !== 'default',
    eager: false, // so that a call of `return` knows the other calls of its turn
    thread,
  };
  const done = await doWork({
    context,
    run,
    returnMode,
    returned: async (runId) => returned ?? storedReturn(thread, runId),
    verify,
  });
  return toOutcome(id, done, { returnMode, notes: scope.notes });
}

const idLength = 12;

/** Deterministic id for a call. */
async function newId({ runId, callId }: Pick<ToolContext, 'runId' | 'callId'>): Promise<string> {
  return (await sha256Hex(new TextEncoder().encode(`${runId} ${callId}`))).slice(0, idLength);
}

function isId(id: string): boolean {
  return id.length === idLength && /^[0-9a-f]+$/.test(id);
}

function noAgent(id: string): UtensilError {
  return new UtensilError('invalid_input', `There is no agent ${JSON.stringify(id)}. Leave it out to begin a new one.`);
}

/** Tools for the agent: the requested ones, limited to those of the run. */
async function scopeOf(
  { tools: wanted }: SpawnInput,
  { tools }: InnerContext,
): Promise<{ readonly names: readonly string[]; readonly notes: readonly string[] }> {
  const there = (await tools()).map(({ name }) => name).filter((name) => name !== returnName);
  if (wanted === undefined) return { names: there, notes: [] };
  const missing = wanted.filter((name) => !there.includes(name) && name !== returnName);
  const notes = missing.length === 0 ? [] : [`It did not get the tools ${missing.join(', ')}, which do not exist.`];
  return { names: wanted.filter((name) => there.includes(name)), notes };
}

/** The requested model; undefined for that of the run. */
function modelFor({ model: wanted }: SpawnInput, options: EmploymentOptions, offered: Models): Model | undefined {
  if (wanted === undefined) return options.model === '' ? undefined : find(options.model);
  const choices = allowedModels(offered, options.models).map(({ id }) => id);
  if (choices.includes(wanted)) return find(wanted);
  const known = choices.length === 0 ? 'Leave it out.' : `Available: ${choices.join(', ')}.`;
  throw new UtensilError('invalid_input', `The model ${JSON.stringify(wanted)} is not available. ${known}`);

  function find(id: string): Model {
    const model = offered.get(id);
    if (model !== undefined) return model;
    throw new UtensilError(
      'invalid_option',
      `The app does not offer the model ${JSON.stringify(id)}, which is set in the settings.`,
    );
  }
}

/** New messages for the agent; none if it resumes after an interruption. */
async function messagesFor(
  { agent, task = '', files: paths = [], files_as: as = 'text' }: SpawnInput,
  { id, thread }: Agent,
  places: { readonly from: Files; readonly to: Files },
): Promise<readonly NewMessage[]> {
  const before = await messagesOf(thread);
  if (agent !== undefined && before.length === 0) throw noAgent(id);
  const isRetry = task.trim() === '' && before.length > 0;
  if (task.trim() === '' && !isRetry) throw new UtensilError('invalid_input', 'Say in "task" what the agent must do.');
  if (isRetry && paths.length === 0 && !isDone(before)) return [];
  const given = await giveFiles({ paths, as, ...places });
  return [{ role: 'user', parts: [{ type: 'text', text: isRetry ? goOn : task }, ...given] }];
}

const goOn = 'Continue your task where you left off.';

/** True if the agent had finished with an answer or a returned value. */
function isDone(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last?.role === 'tool')
    return last.parts.some((part) => part.type === 'tool-result' && part.name === returnName && !part.isError);
  return last?.role === 'assistant' && last.incomplete === undefined && callsOf(last).length === 0;
}
