// The model.
export { anthropic } from './anthropic.ts';
export type { AnthropicClient, AnthropicConnection, AnthropicOptions } from './anthropic.ts';

// The pure mappers, for a transport of your own.
export { requestMemory, toRequest } from './request.ts';
export type { RequestMemory, RequestSettings } from './request.ts';
export { fromEvents } from './stream.ts';
