export { type AnthropicClient, type AnthropicConnection, type AnthropicOptions, anthropic } from './anthropic.ts';
