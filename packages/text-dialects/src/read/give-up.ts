import { unnamed } from './block.ts';
import type { Block, BlockReading } from './block.ts';
import { callEvent } from './call-event.ts';
import type { JsonGrammar } from '../dialects/dialect.ts';
import type { Recording } from '../text/source.ts';
import { skipPast } from './reading.ts';

/** A broken call. */
export interface Failure {
  readonly resumes?: readonly string[] | undefined;
  readonly reason: string;
  readonly whole: Recording;
  readonly start?: number;
  readonly name?: string;
  readonly isBegun?: boolean;
}

/** A broken call without an end must not hide that it stood in a thought. */
const thoughtEnds: readonly string[] = ['</think', '</thought>', '</seed:think>', '</longcat_think>', '[/THINK]'];

/** Passes over the rest of a broken block, and reports it. */
export function* giveUp(
  { open = '', close }: Pick<JsonGrammar, 'close'> & Partial<Pick<JsonGrammar, 'open'>>,
  block: Block,
  failure: Failure,
): BlockReading<'done'> {
  const { source } = block;
  const { whole, name = unnamed, start = source.position, resumes = [] } = failure;
  const again = open.length > 1 ? [...resumes, open] : resumes; // the next call is not lost with this one
  const blank = block.isFenced ? ['\n```', '\n~~~'] : ['\n\n', '\r\n\r\n'];
  const stops = close === '' && resumes.length === 0 ? [...again, ...blank, ...thoughtEnds] : again;
  yield* skipPast(source, close === '' ? [] : [close], stops);
  if (failure.isBegun !== true) yield { type: 'begin', name };
  yield callEvent({ block, start, whole, name }, failure.reason);
  return 'done';
}
