import type { BegunCall } from './call-event.ts';
import type { Collector } from './collector.ts';
import type { TagGrammar } from '../dialects/dialect.ts';

/** A call that is being read. */
export interface OpenCall extends BegunCall {
  readonly grammar: TagGrammar;
  name: string | undefined;
  collector: Collector;
}
