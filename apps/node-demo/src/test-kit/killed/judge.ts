// Invariants of a run that was killed at any boundary and resumed: every violation as a sentence.
import { callsOf, type Message } from '@utensil/core';
import { arrangeHistory } from '@utensil/core/provider';
import { labelOf } from './boundaries.ts';
import type { Recovery, Said } from './program.ts';
import { goesOn, scenes, unrepeatable } from './script.ts';

/** Observations of a run that was killed and resumed. */
export interface Case {
  readonly answer: Recovery;
  /** The effects when it was killed, and at the end. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Output of the process that was killed. */
  readonly begun: readonly Said[];
  /** Output of the process that resumed. */
  readonly said: readonly Said[];
  /** The thread at the end. */
  readonly messages: readonly Message[];
  /** The runs that have begun in it. */
  readonly runs: readonly string[];
}

export function complaintsAbout(given: Case): readonly string[] {
  return [
    ...ofTheEnd(given),
    ...ofTheHistory(given),
    ...ofResults(given),
    ...ofUnrepeatable(given),
    ...ofTheClaim(given),
  ];
}

/** The thread is taken over, and the run goes on under its id. */
function ofTheClaim({ begun, said, runs }: Case): readonly string[] {
  const [before, after] = [fencesIn(begun).at(-1) ?? 0, fencesIn(said)[0] ?? 0];
  return [
    ...(after > before ? [] : [`It went on under the fence ${after}, after ${before}.`]),
    ...(runs.length > 1 ? [`It went on as another run: ${runs.join()}.`] : []),
  ];
}

function fencesIn(said: readonly Said[]): readonly number[] {
  return said.flatMap((each) => (each.type === 'claimed' ? each.fence : []));
}

function ofTheEnd({ said }: Case): readonly string[] {
  const end = said.find(({ type }) => type === 'end');
  if (end?.type !== 'end') return ['It did not end.'];
  return ['complete', 'limit'].includes(end.status) ? [] : [`It ended as ${end.status}: ${end.error}`];
}

/** Every call of the script is made and has one result, and nothing that was stored is lost. */
function ofTheHistory({ said, messages }: Case): readonly string[] {
  const made = messages.flatMap(callsOf).map(({ callId }) => callId);
  const results = resultsIn(messages).map(({ callId }) => callId);
  const arranged = arrangeHistory(messages);
  const found = said.find((each) => each.type === 'found');
  const labels = made.map(labelOf);
  const scripted = found?.calls.length === 0 && messages.length === 0 ? [] : scenes.flat().map(({ label }) => label);
  return [
    ...scripted.filter((label) => !labels.includes(label)).map((label) => `The call ${label} was lost.`),
    ...(found?.calls ?? []).filter((label) => !labels.includes(label)).map((label) => `${label} is no longer stored.`),
    ...made
      .filter((callId) => results.filter((each) => each === callId).length !== 1)
      .map((callId) => `The call ${callId} has not one result.`),
    ...(arranged.length === messages.length ? [] : ['Some message is out of place.']),
  ];
}

/** A call with a result is not made again. */
function ofResults({ said, before, after }: Case): readonly string[] {
  const found = said.find((each) => each.type === 'found');
  const stored = (found?.results ?? []).map((label) => unrepeatable[label] ?? label);
  const again = stored.filter((effect) => count(after, effect) > count(before, effect));
  return again.map((effect) => `${effect} had its result, and was done again.`);
}

/** An irreversible call is made once, and if it may have been made, a person is asked. */
function ofUnrepeatable({ answer, said, before, after, messages }: Case): readonly string[] {
  const found = said.find((each) => each.type === 'found');
  const asked = said.flatMap((each) =>
    each.type === 'asked' && each.question === 'recovery-request' ? [each.label] : [],
  );
  return Object.entries(unrepeatable).flatMap(([label, effect]) => {
    const times = count(after, effect);
    const isUncertain = count(before, effect) > 0 && !(found?.results ?? []).includes(label);
    const isTold = resultsIn(messages).some(({ callId, text }) => labelOf(callId) === label && tells.test(text));
    const most = answer === 'again' && asked.includes(label) ? 2 : 1;
    return [
      ...(times > most ? [`${effect} was done ${times} times.`] : []),
      ...(isUncertain && answer !== 'nobody' && !asked.includes(label) ? [`Nobody was asked about ${label}.`] : []),
      ...(isUncertain && answer === 'nobody' && !isTold ? [`The model was not told about ${label}.`] : []),
      ...(answer === 'again' && asked.includes(label) && !goesOn.includes(label) && times === count(before, effect)
        ? [`${label} was not done again.`]
        : []),
    ];
  });
}

const tells = /It may or may not have taken effect/;

function resultsIn(messages: readonly Message[]): readonly { readonly callId: string; readonly text: string }[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool-result' ? [{ callId: part.callId, text: JSON.stringify(part.modelParts) }] : [],
    ),
  );
}

function count(effects: readonly string[], effect: string): number {
  return effects.filter((each) => each === effect).length;
}
