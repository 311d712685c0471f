export type { ChatClient } from './chat/open-chat.ts';
export { type OpenAIChatOptions, type OpenAIOptions, type ResponsesClient, openai, openaiChat } from './openai.ts';
