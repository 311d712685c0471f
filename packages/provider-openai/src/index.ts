export {
  type ChatClient,
  type OpenAIChatOptions,
  type OpenAIOptions,
  type ResponsesClient,
  openai,
  openaiChat,
} from './openai.ts';
