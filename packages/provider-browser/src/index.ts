export { browserAvailability, browserModel } from './browser-model.ts';
export type { BrowserModelOptions } from './browser-model.ts';
export type { BrowserInput } from './messages.ts';
export type {
  BrowserAvailability,
  CoreOptions,
  CreateOptions,
  DownloadMonitor,
  Expected,
  Prompt,
  PromptApi,
  PromptChunk,
  PromptContent,
  PromptSession,
} from './prompt-api.ts';
