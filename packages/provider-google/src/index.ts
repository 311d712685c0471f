export {
  type GenerateClient,
  type GoogleInteractionsOptions,
  type GoogleOptions,
  type InteractionsClient,
  google,
  googleInteractions,
} from './google.ts';
