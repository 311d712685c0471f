import type { Model } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { modelData } from '@utensil/model-data';
import { anthropic } from '@utensil/provider-anthropic';
import { google } from '@utensil/provider-google';
import { openai } from '@utensil/provider-openai';
import { env } from 'node:process';

/** Prices and context windows. */
const known = { info: modelData };

/** In order of preference: the first one whose key is set is used. */
const vendors: Readonly<Record<string, () => Model>> = {
  ANTHROPIC_API_KEY: () => anthropic('claude-sonnet-5-5', known),
  OPENAI_API_KEY: () => openai('gpt-5.6', known),
  GEMINI_API_KEY: () => google('gemini-3.8-flash', known),
};

/** The model of the vendor whose key is in the environment; without a key, a script of these turns. */
export function modelOr(turns: readonly ScriptedTurn[]): Model {
  const key = Object.keys(vendors).find((name) => env[name]);
  const model = (key !== undefined && vendors[key]?.()) || scriptedModel(turns);
  console.log(
    key === undefined
      ? `No model is asked: the answers are a script. For a real one, set ${Object.keys(vendors).join(', ')}.`
      : `Asking ${model.info.id}, because ${key} is set.`,
  );
  return model;
}
