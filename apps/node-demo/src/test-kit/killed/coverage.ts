// Boundaries that killed runs must reach: one before and one after each operation of a run at its seams. The tables are typed by
// the members of the seams, so that a new member or kind of entry needs a decision here.
import type { Claim, ModelPart, Thread, ThreadEntry, Tool, ToolContext } from '@utensil/core';

/** True if the script must reach it; otherwise the reason why it has no boundary. */
type Reach = true | string;

type Methods<Seam> = {
  [Name in keyof Seam as NonNullable<Seam[Name]> extends (...given: never[]) => unknown ? Name : never]-?: Reach;
};

const thread: Methods<Thread> = {
  read: true,
  append: true,
  claim: true,
  watch: 'It stores nothing.',
  owner: 'It stores nothing.',
  child: 'What it gives is a thread too.',
  children: 'It stores nothing.',
};

const claim: Methods<Claim> = { renew: true, release: true };

const entries: Readonly<Record<ThreadEntry['type'], Reach>> = {
  message: true,
  draft: true,
  'call-begun': true,
  question: true,
  answer: true,
  'run-begun': true,
  'run-parked': true,
  'run-ended': true,
  revision: 'The script changes no message that is whole.',
  'inner-result': 'No tool of the script is replayable.',
  'inner-run': 'No tool of the script is replayable.',
  cancelled: 'No call of the script goes on in the background.',
  'call-approved': 'Stored by earlier versions only.',
  compacted: 'The history of the script fits into every window.',
};

const parts: Readonly<Record<ModelPart['type'], Reach>> = {
  'text-delta': true,
  'tool-call': true,
  finish: true,
  'reasoning-delta': 'It is taken as a text delta is.',
  'tool-input-start': 'It is told, and changes nothing.',
  'tool-input-delta': 'It is told, and changes nothing.',
  source: 'It is taken as a text delta is.',
  file: 'It is taken as a text delta is.',
  'provider-result': 'It is taken as a text delta is.',
};

const tool: Methods<Pick<Tool, 'execute' | 'preview'> & Pick<ToolContext, 'call' | 'run'>> = {
  execute: true,
  preview: true,
  call: true,
  run: true,
};

const others: Readonly<Record<string, Reach>> = {
  'tool.cancel': true,
  'model.request': true,
  policy: true,
  onLimit: true,
  'run.answer': true,
  answerQuestion: true,
  'storage.commit': true,
};

/** Boundaries that the script must reach, without "before" and "after". */
export const required: readonly string[] = [
  ...reachedOf(others, (name) => name),
  ...reachedOf(thread, (name) => `thread.${name}`),
  ...reachedOf(claim, (name) => `claim.${name}`),
  ...reachedOf(entries, (name) => `thread.append(${name})`),
  'thread.append(release)',
  ...reachedOf(parts, (name) => `model.part(${name})`),
  ...reachedOf(tool, (name) => `tool.${name}`),
];

function reachedOf(table: Readonly<Record<string, Reach>>, nameOf: (key: string) => string): readonly string[] {
  return Object.entries(table).flatMap(([key, reach]) => (reach === true ? nameOf(key) : []));
}

/** Required boundaries that are not among these. */
export function unreached(boundaries: readonly string[], wanted = required): readonly string[] {
  const reached = new Set(boundaries.flatMap(kindsOf));
  return wanted.flatMap((what) => [`before ${what}`, `after ${what}`]).filter((each) => !reached.has(each));
}

/** `before thread.append(run-begun, message user) (2)` is one of the thread, of its append, and of both entries. */
function kindsOf(boundary: string): readonly string[] {
  const [, what = boundary, subjects = ''] = /^(\w+ [\w.]+)(?:\(([^)]*)\))?/.exec(boundary) ?? [];
  return [what, ...subjects.split(', ').flatMap((each) => [`${what}(${each})`, `${what}(${each.split(' ')[0]})`])];
}
