export { withTextFallback } from './with-text-fallback.ts';
export type { TextFallbackOptions } from './with-text-fallback.ts';
export { withTextTools } from './with-text-tools.ts';
export type { TextToolsOptions } from './with-text-tools.ts';
export { dialectFor } from './dialect-of-model.ts';
export { dialects } from './dialects.ts';
export type { DialectName } from './dialects.ts';
export type {
  BraceGrammar,
  Dialect,
  Grammar,
  JsonGrammar,
  KeyedGrammar,
  LineGrammar,
  NamedGrammar,
  PythonGrammar,
  ResultFrame,
  TagGrammar,
  Thoughts,
  ToolList,
} from './dialect.ts';
export { readCalls, writeCall } from './calls.ts';
export type { ReadCall } from './block.ts';
export { promptFor } from './prompt.ts';
