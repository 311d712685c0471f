import { callsOf, type Files, type Message, type ToolStatistics, UtensilError } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ChosenModel } from '../model-choice.ts';
import { codeMode } from './code-mode.ts';
import type { Show } from './show.ts';

const shows: Readonly<Record<string, Show>> = { 'code-mode': codeMode };

/** Start of a show. */
export interface OpenShow {
  readonly request: string;
  readonly model: ChosenModel;
  /** Summary, from the answer and the call counts of each tool. */
  sum(messages: readonly Message[], statistics: readonly ToolStatistics[]): string;
}

/** Creates the files of a show in the folder. Throws `invalid_input` if the name is unknown. */
export async function openShow(name: string, files: Files): Promise<OpenShow> {
  const show = Object.hasOwn(shows, name) ? shows[name] : undefined;
  if (show === undefined) {
    const known = Object.entries(shows).map(([each, { about }]) => `${each} (${about})`);
    throw new UtensilError('invalid_input', `There is no show "${name}". There is ${known.join(', ')}.`);
  }
  for (const [path, text] of Object.entries(show.files))
    if ((await files.stat(path)) === undefined) await files.write(path, text);
  return { request: show.request, model: { name: `script ${name}`, model: scriptedModel(show.script) }, sum };
}

const sum: OpenShow['sum'] = (messages, statistics) => {
  const turns = messages.map(callsOf).filter((calls) => calls.length > 0);
  const made = turns.flat().length;
  const all = statistics.reduce((total, { calls }) => total + calls, 0);
  return `Model turns with calls: ${turns.length}. Calls by the model: ${made}. Calls by its program: ${all - made}.`;
};
