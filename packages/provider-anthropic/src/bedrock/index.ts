export { type BedrockOptions, anthropicBedrock } from './bedrock.ts';
