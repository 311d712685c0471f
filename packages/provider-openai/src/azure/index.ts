export { type AzureChatOptions, type AzureOptions, azure, azureChat } from './azure.ts';
