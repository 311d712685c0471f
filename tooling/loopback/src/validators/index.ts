export { refuseAnthropicMessages } from './anthropic-messages.ts';
export { refuseGemini } from './gemini.ts';
export { refuseGeminiInteractions } from './gemini-interactions.ts';
export { refuseOllamaChat } from './ollama-chat.ts';
export { refuseOpenAIChat } from './openai-chat.ts';
export { refuseOpenAIResponses } from './openai-responses.ts';
export { refuseOpenRouter } from './openrouter.ts';
export type { Validator } from './rules.ts';
