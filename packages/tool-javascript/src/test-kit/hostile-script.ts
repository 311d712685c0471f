import { createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
import type { Files, Model, Policy, Sandbox, SandboxOutcome } from '@utensil/core';
import { javascriptTool } from '../javascript.ts';
import { hostileTools } from './hostile-tools.ts';

/** A script of code mode, and its permissions. */
export interface HostileScript {
  /** Calls `javascript` with it. */
  readonly model: Model;
  readonly sandbox: Sandbox;
  readonly files: Files;
  /** Overrides of the tool's limits. */
  readonly limits: Readonly<Record<string, number>>;
  /** True to enable the tool that attacks look for. */
  readonly isToolOn: boolean;
  /** True to allow destructive calls. */
  readonly mayDestroy: boolean;
  readonly signal: AbortSignal;
}

/** Result in the sandbox and for the model. */
export interface Played {
  readonly outcome: SandboxOutcome | undefined;
  readonly said: string;
}

/** Lets a model run a script that calls {@link hostileTools}. */
export async function playHostile(script: HostileScript): Promise<Played> {
  const { model, sandbox, files, limits, isToolOn, mayDestroy, signal } = script;
  let outcome: SandboxOutcome | undefined;
  const watched: Sandbox = {
    run: async (given) => (outcome = await sandbox.run({ ...given, limits: { ...given.limits, ...limits } })),
  };
  const policy: Policy = ({ name }) => (name === 'wipe' && !mayDestroy ? 'deny' : 'allow');
  const tools = { javascript: { options: { callTools: true } }, secret: { enabled: isToolOn } };
  const toolset = resolveToolset(
    createRegistry([javascriptTool, ...hostileTools]),
    { ...emptySettings, tools },
    { files, sandbox: watched },
  );
  const { messages } = await run({ model, toolset, messages: 'Go.', policy, signal }).result;
  const parts = messages.flatMap((message) => message.parts);
  const answer = parts.find((part) => part.type === 'tool-result');
  return { outcome, said: JSON.stringify([answer?.output, answer?.modelParts]) ?? '' };
}
