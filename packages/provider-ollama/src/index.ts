export { type OllamaOptions, ollama } from './ollama.ts';
export { type OllamaModel, type OllamaSearch, listOllamaModels } from './models.ts';
export { type OllamaConnection, defaultBaseURL } from './transport.ts';
