// Every text of the app, by the screen or the module that shows it. A translation has the same shape.
import { formatsFor } from '@utensil/elements/texts';
import type { Formats, PluralForms, SomeTexts } from '@utensil/elements/texts';

/** Language of these texts. */
export const locale: string = 'en';

/** Numbers, sizes, durations and times. */
export const formats: Formats = /* @__PURE__ */ formatsFor('en');

function number(value: number): string {
  return formats.number(value);
}

function plural(count: number, forms: PluralForms): string {
  return formats.plural(count, forms);
}

/** `index.html` and the web manifest */
export * as document from './document.ts';

/** The frame around all pages, and the needs of every page. */
export const app = {
  name: 'Utensil',
  opening: 'Opening…',
  openFailed: 'Utensil could not open your data',
  retry: 'Try again',
  skip: 'Skip to content',
  details: 'Details',
  dismiss: 'Dismiss',
  cancel: 'Cancel',
  close: 'Close',
  partNotLoaded: 'Part of this page could not be loaded. Check your connection, then reload the page.',
};

/** Problems outside an answer, with advice. */
export const problems = {
  unexpected: 'Something went wrong. Try again; if it happens again, reload the page.',
  conversationSaved: 'Your conversation is saved.',
  damagedMessage:
    'A message in this conversation is damaged and cannot be read. It was left unchanged; the other messages are shown.',
  noStorage: (reason: string): string =>
    `This browser does not store data for this page (${reason}). You can work, but everything is lost when you close the page. Export what you want to keep, or allow storage for this site and reload the page.`,
  sandboxNotLoaded: 'The JavaScript sandbox could not be loaded. Check your connection, then try again.',
  noFrame: 'The browser did not create the frame for requests made by tools.',
  projectRemoved: 'This project was removed.',
  editsNotStored: (reason: string): string =>
    `Your edits are not stored yet. Save them, or copy them, before you close this page. ${reason}`,
};

const noRoom =
  'Storage is full. Nothing was lost. Remove files or conversations, empty the trash, or allow more storage for this site, then try again.';

/** Texts of the elements, where this app knows more about what to do. */
export const elements = {
  failures: {
    model_unauthorized:
      'The service rejected your API key. Save another key under Models, or check its permissions with the service, then choose Continue.',
    model_not_found: 'The service does not have this model. Choose another one under Models, then choose Continue.',
    model_unreachable:
      'The service cannot be reached. Check that you are online and that its address under Models is correct, then choose Continue. Your conversation is saved.',
    ENOSPC: noRoom,
    EDQUOT: noRoom,
  },
  thread: {
    elsewhere: 'Another tab is answering. You can reply when it finishes.',
    elsewhereSince: (time: string): string =>
      `Another tab has been answering since ${time}. You can reply when it finishes.`,
  },
} satisfies SomeTexts;

/** The side bar: projects, pages and conversations. */
export const sidebar = {
  menu: 'Menu',
  navigation: 'Main',
  pages: { files: 'Files', tools: 'Tools', models: 'Models' },
  conversations: 'Conversations',
  newConversation: 'New conversation',
  noConversations: 'Your conversations appear here.',
  untitled: 'Untitled',
  remove: (title: string): string => `Remove ${title}`,
  removeTitle: 'Remove this conversation?',
  removeText: (title: string): string =>
    `“${title}” will be deleted for good. Files that were created in it stay in the project.`,
  removeAction: 'Remove conversation',
};

/** Projects and the menu to manage them. */
export const projects = {
  label: 'Project',
  firstName: 'My project',
  manage: 'Manage projects',
  create: 'New project',
  createAction: 'Create',
  name: 'Name',
  rename: 'Rename',
  renameTitle: 'Rename project',
  remove: 'Remove',
  removeTitle: (name: string): string => `Remove “${name}”?`,
  removeText: 'All its files and conversations will be deleted. This cannot be undone.',
  removeAction: 'Remove project',
};

/** The first screen. */
export const beginning = {
  heading: 'Utensil is a TypeScript SDK for LLM tools',
  lead: 'This demo runs in your browser: real files, real tool calls, no account.',
  // The words around a link to the page of models.
  noModel: 'No model yet: try commands, or ',
  connect: 'connect one',
  afterConnect: '.',
  beforeModel: 'Your messages go to ',
  afterModel: '.',
};

/** Examples to run with one click. The prompts go to a language model. */
export const examples = {
  summary: {
    title: 'Summarise the CSVs in /data',
    about: 'Lists the folder, then reads each table.',
    prompt: 'Summarise the CSV files in /data. What do they contain? Is anything unusual?',
  },
  edit: {
    title: 'Edit a note, and approve the change',
    about: 'Shows you the change and asks first.',
    prompt: 'Tick off “Milk” in /notes/shopping.md, and change nothing else.',
  },
  memory: {
    title: 'Remember my preferences',
    about: 'Later conversations can read them.',
    prompt: 'Remember that I like short answers and metric units. Then tell me what you remember about me.',
  },
  program: {
    title: 'One program, three tool calls',
    about: 'A script in a sandbox calls the tools.',
    prompt:
      'Write one JavaScript program that calls tools.filesystem to view /data/north.csv, /data/south.csv and /data/west.csv, adds up the revenue of each, and returns the totals. Run it in a single call.',
  },
  note: {
    title: 'Write a note, and read it back',
    about: 'Creates a file in this project.',
    prompt: 'Write “buy milk” into /notes/todo.md, then read it back to me.',
  },
};

/** A conversation. */
export const chat = {
  heading: 'Conversation',
  messages: 'Messages',
  suggestions: 'Examples to try',
  stopped: 'You stopped this answer.',
  interrupted: 'This answer was interrupted. Choose Continue to resume it.',
};

function joined(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ');
}

/** The message field with its buttons. */
export const composer = {
  message: 'Message',
  placeholder: (model: string): string => `Message ${model}`,
  placeholderUnnamed: 'Message the model',
  placeholderCommands: 'Type a command, such as “list” or “help”',
  attach: 'Attach',
  attached: 'Attachments',
  removeAttachment: (name: string): string => `Remove ${name}`,
  tools: 'Tools',
  toolsLabel: 'Tools in this project',
  stop: 'Stop',
  send: 'Send',
  model: (name: string): string => `Model: ${name}`,
  draftNotKept: 'Your browser has no room to save this draft. Send it before you close the page.',
  lostAttachments: (names: readonly string[]): string =>
    plural(names.length, {
      one: `The attachment ${joined(names)} was not saved with this draft. Attach it again.`,
      other: `The attachments ${joined(names)} were not saved with this draft. Attach them again.`,
    }),
  tooLarge: (name: string, megabytes: number): string =>
    `“${name}” is larger than ${number(megabytes)} MB. Upload it under Files instead, where tools can read it.`,
  tooLong: (name: string, characters: number): string =>
    `“${name}” has more than ${number(characters)} characters. Upload it under Files instead, where tools can read it.`,
  unknownKind: (name: string): string =>
    `“${name}” is not text, an image, a recording or a PDF. Upload it under Files instead, where tools can read it.`,
};

/** Token counts and the last request. */
export const request = {
  view: 'View request',
  /** `context`: of the last request; 0 if it is not known yet. */
  usage: (tokens: number, context: number): string =>
    `${number(tokens)} ${plural(tokens, { one: 'token', other: 'tokens' })} used${context === 0 ? '' : ` · ${number(context)} in context`}`,
  title: 'Last request to the model',
  none: 'No requests yet since this page opened.',
};

/** The page of files. */
export const files = { heading: 'Files' };

/** The page of tools. */
export const tools = {
  heading: 'Tools',
  lead: 'Tools that a model may use in this project. Changes apply from your next message.',
};

/** The page of models. */
export const models = {
  heading: 'Models',
  lead: 'The model that answers in this project. Your API keys stay in this browser, and each is sent only to its own service. The services are tested with recorded answers and the vendors’ own SDKs, not yet live.',
  service: 'Service',
  address: 'Address',
  addressProblem: (address: string): string =>
    `“${address}” is not a complete address. Start it with http:// or https://, such as http://192.0.2.10:11434.`,
  model: 'Model',
  otherModel: 'Another model…',
  modelId: 'Model ID',
  inText: (dialect: string): string => `Without tools of its own, it calls them in text: ${dialect}.`,
  unknownService: (id: string): string => `There is no service “${id}”. Choose another one under Models.`,
  damaged:
    'The chosen model could not be read, because the stored data is damaged. It was set aside, and nothing else was changed. Choose it again under Models.',
};

/** Services, by id. */
export const services = {
  offline: {
    label: 'Offline demo',
    hint: 'Not a language model. It understands commands such as “write notes/todo.md: buy milk then list notes”, and turns them into real tool calls. No key or network needed.',
  },
  browser: {
    label: 'This browser',
    hint: 'The model that Chrome or Edge brings on a computer. Downloaded once, then it needs no key and no network.',
  },
  anthropic: { label: 'Anthropic', hint: 'Claude, with your API key from console.anthropic.com.' },
  openai: { label: 'OpenAI', hint: 'GPT, with your API key from platform.openai.com.' },
  google: { label: 'Google', hint: 'Gemini, with your API key from aistudio.google.com.' },
  openrouter: { label: 'OpenRouter', hint: 'Models from many vendors, with your API key from openrouter.ai.' },
  ollama: { label: 'Ollama', hint: 'Models on your own computer, or on another one in your network.' },
  compatible: {
    label: 'Another server',
    hint: 'Any server with OpenAI’s Chat Completions API, such as llama.cpp, vLLM or LM Studio.',
  },
};

/** API keys and how they are protected. */
export const keys = {
  label: 'API key',
  optional: 'Optional',
  save: 'Save key',
  remove: 'Remove key',
  saved: 'An API key is saved in this browser. Saving a new one replaces it.',
  savedLocked: (service: string): string => `The API key for ${service} is saved, but locked.`,
  locked: 'Your API keys are locked.',
  unlockHint: 'Enter your passphrase to unlock your keys.',
  yourPassphrase: 'Your passphrase',
  unlock: 'Unlock',
  lockedProblem: 'Your API keys are locked. Unlock them with your passphrase under Models, then try again.',
  needed: (service: string): string =>
    `${service} needs an API key. Save yours under Models, or choose another service there.`,
  wrongPassphrase: 'This passphrase is wrong. Nothing was changed. Try again.',
  unreadable: 'A stored API key can no longer be read. Enter it again under Models.',
  damaged:
    'Your API keys could not be read, because the stored data is damaged. They were set aside, and nothing else was changed. Enter them again under Models.',
  protection: 'How your keys are protected',
  byPassphrase:
    'Encrypted with your passphrase, which is not stored anywhere. If you forget it, enter your keys again. Once unlocked, your keys stay unlocked until you close the page.',
  byBrowser: 'Encrypted with a key this browser created, which no script can read. No passphrase is needed.',
  limitsOfPassphrase: 'This protects your keys in a copy of the browser’s storage.',
  limitsOfBrowser:
    'This protects your keys in a copy of the browser’s storage, unless the copy includes the browser’s own key store.',
  limits:
    'It does not protect against someone who uses this browser while the page is open, extensions that can read the page, or the service itself, which receives its key. Set a spending limit for your keys if the service offers one.',
  passphrase: 'Passphrase',
  protect: 'Protect with a passphrase',
  change: 'Change passphrase',
  lock: 'Lock',
  unprotect: 'Remove passphrase',
};
