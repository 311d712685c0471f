export { type OpenRouterOptions, openrouter } from './openrouter.ts';
