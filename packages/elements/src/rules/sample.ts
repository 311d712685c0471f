import { isObject } from '@utensil/core';
import type { JsonObject, Toolset } from '@utensil/core';
import type { SettingsRules } from '@utensil/core/guard';
import type { Texts } from '../texts/texts.ts';
import { explanationText } from './rule-subject.ts';

/** A sample call. */
export interface SampleCall {
  readonly tool: string;
  /** As JSON. */
  readonly input: string;
}

/** Dependencies of an explanation. */
export interface SampleSetup {
  readonly toolset: Toolset;
  readonly rules: Pick<SettingsRules, 'explain'>;
  readonly projectId: string | undefined;
  readonly texts: Texts['rules'];
}

/** Sentence about the rule that decides a call. Nothing is run. */
export async function explainSample({ tool, input }: SampleCall, setup: SampleSetup): Promise<string> {
  const { toolset, rules, projectId, texts } = setup;
  const read = objectIn(input);
  if (read === undefined) return texts.noJson;
  const ready = await toolset.prepare({ name: tool, input: read });
  if (ready.refusal !== undefined) return texts.noFit;
  const { name, formerNames, category, effects, openWorld } = ready;
  const call = { name, formerNames, category, effects, openWorld, input: ready.input, projectId };
  return explanationText(await rules.explain(call), texts);
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
