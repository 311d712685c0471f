export { withTextFallback } from './model/with-text-fallback.ts';
export type { TextFallbackOptions } from './model/with-text-fallback.ts';
export { withTextTools } from './model/with-text-tools.ts';
export type { TextToolsOptions } from './model/with-text-tools.ts';
export { dialectFor } from './dialects/dialect-of-model.ts';
export { dialects } from './dialects/dialects.ts';
export type { DialectName } from './dialects/dialects.ts';
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
} from './dialects/dialect.ts';
export { readCalls, writeCall } from './model/calls.ts';
export type { ReadCall } from './read/block.ts';
export { promptFor } from './write/prompt.ts';
