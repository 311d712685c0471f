// Every text of the elements, by the element that shows it. A translation has the same shape.
import type { Effect, ErrorCode, RunLimit, RunStatus } from '@utensil/core';
import type { CallStatus } from '../view/call-view.ts';
import { formats, number, plural } from './english-formats.ts';

/** Language of these texts. */
export const locale: string = 'en';

function tokensText(count: number): string {
  return `${number(count)} ${plural(count, { one: 'token', other: 'tokens' })}`;
}

/** Texts for the end of a run. */
export const ending = {
  interrupted: 'This answer was cut short.',
  aborted: 'You stopped this answer.',
  stopped: 'Stopped after this step.',
  refused: 'The model declined to answer.',
  error: 'Something went wrong. Try again.',
  damaged: 'Part of this conversation cannot be read. The model was told where.',
  'needs-approval': 'An action needs your approval to continue.',
  'needs-input': 'The assistant needs your answer to continue.',
  'needs-results': 'Waiting for work in the background.',
} satisfies Record<'interrupted' | 'damaged' | Exclude<RunStatus, 'complete' | 'limit'>, string>;

/** Texts for the limit that ended a run. */
export const limits = {
  steps: 'This answer reached its step limit.',
  time: 'This answer reached its time limit.',
  tokens: 'This answer reached its token limit.',
  cost: 'This answer reached its cost limit.',
  repeats: 'The model kept repeating itself and was stopped.',
  'output-tokens': 'The model reached its maximum answer length.',
  budget: 'The budget is used up.',
} satisfies Record<RunLimit, string>;

const noRoom = 'Storage is full. Free up space, then continue.';

/** Failures that a person can resolve. */
export const failures = {
  missing_api_key: 'This service needs a key. Enter one, then continue.',
  model_unauthorized: 'The service rejected your key. Check it, then continue.',
  model_not_found: 'The service has no such model. Choose another one, then continue.',
  model_rate_limited: 'Too many requests, or your quota is used up. Wait a little, then continue.',
  model_overloaded: 'The service is overloaded. Wait a little, then continue.',
  model_unreachable: 'The service cannot be reached. Check your connection, then continue.',
  model_request_invalid: 'The service rejected the request. Choose another model, or change your message.',
  model_failed: 'The service failed. Try again in a moment.',
  prompt_too_long: 'This conversation is too long for the model. Start a new one, or choose another model.',
  stream_truncated: 'The answer is incomplete. Continue, or regenerate the answer.',
  thread_busy: 'Another tab or program is answering here. Wait until it finishes, then try again.',
  thread_taken: 'Another tab or program took over this conversation.',
  ENOSPC: noRoom,
  EDQUOT: noRoom,
} satisfies { readonly [Code in ErrorCode]?: string };

/** Reasons for a retry of the model. */
export const retries = {
  model_rate_limited: 'Too many requests.',
  model_overloaded: 'The service is overloaded.',
  model_unreachable: 'The service cannot be reached.',
  stream_truncated: 'The answer was incomplete.',
  other: 'The service failed.',
} satisfies { readonly [Code in ErrorCode | 'other']?: string };

/** `<utensil-thread>` */
export const thread = {
  thread: 'Conversation',
  user: 'You',
  assistant: 'Assistant',
  empty: 'No messages yet',
  latest: 'Jump to latest',
  newMessages: 'New messages',
  thinking: 'Thinking…',
  thought: 'Thoughts',
  waits: 'Waiting for the model',
  retries: 'Trying again…',
  retriesIn: (milliseconds: number): string => `Trying again in ${formats.duration(milliseconds)}…`,
  asksOther: (model: string): string => `Asking ${model} instead…`,
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Copy failed',
  regenerate: 'Regenerate',
  edit: 'Edit',
  send: 'Send',
  cancel: 'Cancel',
  editing: 'Edit message',
  goOn: 'Continue',
  details: 'Details',
  earlier: 'Previous version',
  later: 'Next version',
  version: (index: number, count: number): string => `Version ${number(index + 1)} of ${number(count)}`,
  versionShort: (index: number, count: number): string => `${number(index + 1)} / ${number(count)}`,
  sources: 'Sources',
  image: 'Image',
  imageElsewhere: 'Image on another server, not loaded',
  audio: 'Audio',
  file: 'File',
  download: 'Download',
  earlierPieces: (count: number): string => `Show ${number(count)} earlier`,
  tokens: tokensText,
  said: (words: string): string => `Assistant: ${words}`,
  asks: (title: string): string => `Needs you: ${title}`,
  elsewhere: 'Another tab or program is answering. You can reply when it finishes.',
  elsewhereSince: (time: string): string =>
    `Another tab or program has been answering since ${time}. You can reply when it finishes.`,
  notRead: 'This conversation could not be loaded.',
};

function namedText(name: string, type: string): string {
  return name === '' ? type : `${name} (${type})`;
}

/** `<utensil-call>` and result cards. */
export const call = {
  status: {
    input: 'Preparing',
    waiting: 'Waiting',
    asking: 'Needs you',
    running: 'Running',
    done: 'Done',
    failed: 'Failed',
    declined: 'Declined',
    cancelled: 'Cancelled',
    interrupted: 'Interrupted',
    left: 'No result',
  } satisfies Record<CallStatus, string>,
  cancel: 'Cancel',
  cancelOf: (title: string): string => `Cancel: ${title}`,
  mayHaveRun: 'It may or may not have taken effect.',
  interruptedResult: 'Interrupted before it returned a result. It may or may not have taken effect.',
  input: 'Input',
  noInput: 'No input',
  comingIn: 'Input so far',
  repairs: 'Corrected before running',
  progress: 'Progress',
  saying: 'Answer so far',
  result: 'Result',
  modelSaw: 'Seen by the model',
  output: 'Full output',
  ways: 'Show as',
  image: (type: string): string => `Image (${type})`,
  imageElsewhere: 'Image on another server, not loaded:',
  file: (name: string, type: string): string => `File: ${namedText(name, type)}`,
  audio: (name: string, type: string): string => `Audio: ${namedText(name, type)}`,
  resourceLink: 'Link to a resource',
  inner: (count: number): string =>
    `${number(count)} ${plural(count, { one: 'action inside', other: 'actions inside' })}`,
  items: (count: number): string => `${number(count)} ${plural(count, { one: 'item', other: 'items' })}`,
  moreInner: (rest: number): string => `Show ${number(rest)} more`,
  changed: (path: string): string => `Changes to ${path}`,
  added: 'new',
  deleted: 'deleted',
  moreChanges: (rest: number): string =>
    `${number(rest)} more ${plural(rest, { one: 'file', other: 'files' })} not shown`,
  terminal: 'Terminal output',
  exitCode: (code: number): string => `Exit code ${code}`,
  endedBy: (signal: string): string => `Ended by ${signal}`,
  code: 'Code',
  answer: 'Answer',
  words: 'Last message',
  agent: (name: string): string => `Agent ${name}`,
  steps: (count: number): string => `${number(count)} ${plural(count, { one: 'step', other: 'steps' })}`,
  tokens: tokensText,
};

/** `<utensil-approval>` */
export const approval = {
  heading: {
    approval: 'Allow this action?',
    input: 'The assistant has a question',
    recovery: 'Did this finish?',
  },
  effects: {
    read: 'Only reads. Nothing changes.',
    write: 'Makes changes that you can undo.',
    destructive: 'This may not be reversible.',
  } satisfies Record<Effect, string>,
  openWorld: 'Reaches the web, other people or other machines.',
  tainted: 'Content from outside may have prompted this. The assistant has read:',
  unseen: 'Contains hidden characters, often used to deceive. They are marked.',
  mixed: (word: string): string => `“${word}” mixes letters of different alphabets that look alike.`,
  ignored: (reason: string): string => `Your earlier permission no longer applies: ${reason}.`,
  long: 'Not all of it is shown here. Review all of it before you allow it.',
  preview: 'Preview',
  input: 'Details',
  once: 'Allow once',
  run: 'Allow for this answer',
  always: 'Always allow',
  deny: 'Decline',
  change: 'Edit input',
  changed: 'Input (JSON)',
  allowChanged: 'Allow with changes',
  back: 'Back',
  noJson: (problem: string): string => `This is not valid JSON: ${problem}`,
  noObject: 'This must be a JSON object, in { and }.',
  wrong: (problems: string): string => `This input is not valid: ${problems}`,
  recovery: 'The app was interrupted while this was running. It may or may not have finished.',
  accept: 'Mark as done',
  acceptHint: 'The assistant continues as if it finished.',
  reject: 'Mark as not done',
  rejectHint: 'The assistant decides what to do next.',
  again: 'Run again',
  againHint: 'If it did finish, it will happen twice.',
  yourAnswer: 'Your answer',
  answerJson: 'Your answer (JSON)',
  needed: (name: string): string => `${name} is required.`,
  noNumber: (name: string): string => `${name} must be a number.`,
  send: 'Send',
  noAnswer: 'Skip',
  choose: 'Choose…',
  answered: {
    once: 'Allowed once',
    run: 'Allowed for this answer',
    always: 'Always allowed',
    deny: 'Declined',
    input: 'Allowed with changes',
    output: 'Answered',
    skipped: 'Skipped',
    accept: 'Marked as done',
    reject: 'Marked as not done',
    again: 'Running again',
  },
};

/** `<utensil-waiting>` */
export const waiting = {
  heading: (count: number): string => `Needs your answer (${number(count)})`,
  untitled: 'Untitled conversation',
  answer: 'Answer',
  answerOf: (title: string): string => `Answer: ${title}`,
  close: 'Close',
  all: (count: number): string => `Show all ${number(count)}`,
  reading: 'Loading…',
  gone: 'This no longer needs an answer.',
};

/** `<utensil-value>` */
export const value = {
  label: 'Value',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Copy failed',
  save: 'Download',
  all: 'Show all',
  allOf: (characters: number): string =>
    `Show all (${characters < 10_000 ? number(characters) : formats.roundNumber(characters)} characters)`,
  less: 'Show less',
  find: 'Find',
  notFound: 'Not found',
  found: (row: number, rows: number): string => `Row ${number(row)} of ${number(rows)}`,
};

/** `<utensil-diff>` */
export const diff = {
  label: 'Changes',
  same: 'No changes',
  added: 'Added:',
  removed: 'Removed:',
  more: (lines: number): string => `${number(lines)} more ${plural(lines, { one: 'line', other: 'lines' })} not shown`,
};

/** `<utensil-markdown>` */
export const markdown = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Copy failed',
  code: 'Code',
  output: 'Output',
  table: 'Table',
  load: 'Load',
  imageFrom: (host: string): string => `Image from ${host}`,
  imageNotShown: 'This image cannot be shown',
  done: 'Done: ',
  toDo: 'To do: ',
  moreCode: (characters: number): string =>
    `${number(characters)} more characters not shown. Copy includes all of them.`,
};

/** `<utensil-settings>` */
export const settings = {
  search: 'Search tools',
  found: (count: number): string =>
    count === 0 ? 'No matching tools' : `${number(count)} ${plural(count, { one: 'tool', other: 'tools' })}`,
  none: 'No tools yet',
  other: 'Other tools',
  all: (category: string): string => `All ${category} tools`,
  on: (on: number, all: number): string => `${number(on)} of ${number(all)} on`,
  more: (rest: number): string => `Show ${number(rest)} more`,
  isNew: 'New',
  newOnes: (count: number): string => `${number(count)} new`,
  unavailable: 'Unavailable:',
  notOffered: (model: string): string => `${model} (unavailable)`,
  reset: 'Reset',
  resetOf: (label: string): string => `Reset ${label} to its default`,
  notNumber: (label: string): string => `${label} must be a number.`,
  notWhole: (label: string): string => `${label} must be a whole number.`,
  tooSmall: (label: string, min: number): string => `${label} must be at least ${number(min)}.`,
  tooLarge: (label: string, max: number): string => `${label} must be at most ${number(max)}.`,
  outside: (label: string, min: number, max: number): string =>
    `${label} must be between ${number(min)} and ${number(max)}.`,
  unchanged: (value: string): string => `It is still ${value}.`,
  instructions: 'Instructions',
  ownInstructions: 'Use my own instructions',
  instructionsOf: (title: string): string => `Instructions for ${title}`,
  instructionsHint: 'Replaces the instructions from the tool’s author. Leave empty to send none.',
  granted: 'Always allowed',
  grantedHint: 'These tools run without asking. If a tool changes, you are asked again.',
  until: (time: string): string => `Until ${time}`,
  grantedBy: (user: string): string => `Given by ${user}`,
  revoke: 'Ask again',
  revokeOf: (title: string): string => `Ask again before ${title}`,
  anyModel: 'Same as the conversation',
  addModel: 'Add a model',
  add: 'Add',
  up: 'Move up',
  down: 'Move down',
  remove: 'Remove',
  noModels: 'No models selected',
  moved: (model: string, place: number, all: number): string => `${model}: ${number(place)} of ${number(all)}`,
  secretSaved: 'Saved. It is never shown.',
  secretMissing: 'Not set',
  secretPlace: 'This app has nowhere to store it.',
  save: 'Save',
  notStored: 'Your changes are not saved yet.',
  full: 'Storage is full. Free up space, then try again. Your changes stay here until you close the page.',
  blocked: 'This browser blocks storage, as in a private window. Your changes last until you close the page.',
  failed: 'Your changes stay here until you close the page. Try again in a moment.',
  retry: 'Try again',
  dismiss: 'Dismiss',
};

export { formats };
export { files } from './files.ts';
export { rules } from './rules.ts';
