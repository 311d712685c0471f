export { type CompatibleOptions, openaiCompatible } from './compatible.ts';
export { type Quirk, quirksOf } from './quirks.ts';
