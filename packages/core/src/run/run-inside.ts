import type { Usage } from '../model.ts';
import type { EventLog } from './event-log.ts';
import type { Run, RunOptions } from './run.ts';
import type { SubRunOptions } from './sub-run.ts';

/** The options of a run inside a run: that run's, where the tool that begins it gives none. */
export function optionsInside(outer: Omit<RunOptions, 'messages'>, inside: SubRunOptions): RunOptions {
  const { tools, add, host, ...rest } = inside;
  const { thread: _, output: __, toolChoice: ___, instructions: ____, effects: _____, ...shared } = outer;
  const change = { ...(tools && { only: tools }), ...(add && { add }), ...(host && { host }) };
  return { ...shared, toolset: outer.toolset.derive(change), ...rest, model: inside.model ?? outer.model };
}

/** Tells the events of a run inside in the log of the outer one, and gives what it took in all. */
export async function tellOf(child: Run, callId: string, log: Pick<EventLog, 'emit'>): Promise<Usage> {
  for await (const event of child.events()) log.emit({ type: 'sub-run', callId, event });
  return (await child.result).usage;
}
