import type { Block, BlockReading } from './block.ts';
import type { Collector } from './collector.ts';
import type { TagGrammar } from '../dialects/dialect.ts';
import type { Recording } from '../text/source.ts';

/** A call that is being read. */
export interface OpenCall {
  readonly grammar: TagGrammar;
  readonly block: Block;
  readonly start: number;
  readonly whole: Recording;
  name: string | undefined;
  collector: Collector;
}

/** Tells what of the arguments is new. */
export function* flush({ collector }: Pick<OpenCall, 'collector'>): BlockReading<void> {
  const delta = collector.fresh();
  if (delta !== '') yield { type: 'input', delta };
}
