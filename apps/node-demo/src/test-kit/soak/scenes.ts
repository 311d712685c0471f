// The threads of the soak: which calls the model makes in each, scene after scene, and the tools that they call.
import {
  callsOf,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  noUsage,
  resolveToolset,
  type Model,
  type ModelPart,
  type Policy,
  type Tool,
  type ToolContext,
  type Toolset,
} from '@utensil/core';

/** A call. Its label is unique among all threads, and names its effect. */
export interface SceneCall {
  readonly tool: 'look' | 'note' | 'send' | 'script';
  readonly label: string;
  /** Calls that a script makes, in order. */
  readonly inner?: readonly SceneCall[];
}

type Scenes = readonly (readonly SceneCall[])[];
type Kind = (id: string) => Scenes;

const call = (tool: SceneCall['tool'], label: string, inner?: readonly SceneCall[]): SceneCall => ({
  tool,
  label,
  ...(inner && { inner }),
});

const kinds: readonly Kind[] = [
  (id) => [[call('look', `${id}-0`), call('note', `${id}-1`), call('note', `${id}-2`)], [call('note', `${id}-3`)]],
  (id) => [[call('note', `${id}-1`)], [call('send', `${id}-2`)], [call('note', `${id}-3`)]],
  (id) => [[scriptOf(id, ['look', 'note', 'note', 'note'])], [call('note', `${id}-9`)]],
  (id) => [[scriptOf(id, ['note', 'send', 'look', 'note'])]],
  (id) => [[scriptOf(id, ['look', 'note', 'note', 'send', 'note']), call('note', `${id}-8`)]],
];

function scriptOf(id: string, tools: readonly SceneCall['tool'][]): SceneCall {
  const inner = tools.map((tool, index) => call(tool, `${id}-${index + 1}`));
  return call('script', `${id}-s`, inner);
}

export function scenesOf(id: string): Scenes {
  return kinds[Number(id.slice(1)) % kinds.length]?.(id) ?? [];
}

/** Labels of the effects of a call. */
export function effectsOf({ tool, label, inner = [] }: SceneCall): readonly string[] {
  return tool === 'script' ? inner.flatMap(effectsOf) : tool === 'look' ? [] : [label];
}

/** The label of a call, from its id. */
export function labelOf(callId: string): string {
  return callId.replace(/~.*/, '');
}

export const policy: Policy = ({ name }) => (name === 'send' ? 'ask' : 'allow');

/** Services of the process for tools and model. */
export interface World {
  effect(label: string): void;
  /** Some moments, so that a kill finds everything at work. */
  pause(): Promise<void>;
  id(): string;
}

const input = jsonSchema<{ label: string }>({ type: 'object', properties: { label: { type: 'string' } } });

export function soakToolset(world: World, id: string): Toolset {
  const tool = (name: string, more: Partial<Tool<{ label: string }>>): Tool<{ label: string }> =>
    defineTool({
      name,
      description: name,
      input,
      effects: 'write',
      async execute({ label }) {
        await world.pause();
        world.effect(label);
        await world.pause();
        return `did ${label}`;
      },
      ...more,
    });
  const look = tool('look', { effects: 'read', execute: ({ label }) => world.pause().then(() => `saw ${label}`) });
  const script = tool('script', {
    replayable: true,
    timeoutMs: 0,
    execute: async ({ label }, _, context) => (await play(id, label, context)).join(),
  });
  const tools = [look, tool('note', {}), tool('send', { effects: 'destructive' }), script];
  return resolveToolset(createRegistry(tools), emptySettings, {});
}

/** Makes the calls of a script, and continues after a denied one. */
async function play(id: string, label: string, context: ToolContext): Promise<readonly string[]> {
  const { inner = [] } =
    scenesOf(id)
      .flat()
      .find((each) => each.label === label) ?? {};
  async function make(each: SceneCall): Promise<string> {
    const { isError, output } = await context.call(each.tool, { label: each.label });
    return isError ? `not ${each.label}` : String(output);
  }
  if (inner.length > 4) return Promise.all(inner.map(make));
  const outputs = [];
  for (const each of inner) outputs.push(await make(each));
  return outputs;
}

/** Makes the calls of the first scene of which the history has not every call. */
export function soakModel(world: World, id: string): Model {
  return {
    info: { api: 'text', id: 'soak' },
    async *stream({ messages, toolChoice }): AsyncIterable<ModelPart> {
      const made = new Set(messages.flatMap(callsOf).map((each) => each.input['label']));
      const open = scenesOf(id).map((scene) => scene.filter(({ label }) => !made.has(label)));
      const calls = toolChoice === 'none' ? [] : (open.find((scene) => scene.length > 0) ?? []);
      await world.pause();
      yield { type: 'text-delta', text: calls.length > 0 ? 'I go on.' : 'All is done.' };
      for (const { tool, label } of calls) {
        await world.pause();
        yield { type: 'tool-call', callId: `${label}~${world.id()}`, name: tool, input: { label }, executedBy: 'us' };
      }
      yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage: noUsage };
    },
  };
}
