export { modelData } from './model-data.ts';
