import type { EventLog } from '../event-log.ts';
import { sessionOf } from '../guard/guard-session.ts';
import type { Policy } from '../permission/policy.ts';
import type { LaunchOptions } from '../launched-run.ts';
import type { Run } from '../run.ts';
import type { SubRunOptions } from '../../tool/tool.ts';

/** Options that apply to a single run: an inner run has its own, or none. */
const ownOptions = [
  ...(['thread', 'output', 'toolChoice', 'instructions', 'providerOptions', 'budget'] as const),
  ...(['responseFormat', 'stop'] as const),
] as const;

type OuterOptions = Omit<LaunchOptions, 'environment'>;

type NestedOptions = OuterOptions & Pick<SubRunOptions<unknown>, 'messages'>;

type OwnOption = (typeof ownOptions)[number];

/** Options of an inner run: those given by its tool, else those of the outer run. */
export function nestedOptions(outer: OuterOptions, inside: SubRunOptions<unknown>): NestedOptions {
  const { tools, add, host, readOnly = false, ...rest } = inside;
  const change = { readOnly, ...(tools && { only: tools }), ...(add && { add }), ...(host && { host }) };
  const policy = readOnly && { policy: readingOnly(outer.policy ?? sessionOf(outer.toolset)?.policy) };
  const model = inside.model ?? outer.model;
  const { providerOptions } = outer;
  const sameApi = model.info.api === outer.model.info.api; // options of another vendor do not apply
  const vendor = providerOptions !== undefined && sameApi && { providerOptions };
  return { ...sharedOptions(outer), ...vendor, ...policy, toolset: outer.toolset.derive(change), ...rest, model };
}

function sharedOptions<Options extends object>(options: Options): Omit<Options, OwnOption> {
  const shared: Options & { [Name in OwnOption]?: unknown } = { ...options };
  for (const name of ownOptions) delete shared[name];
  return shared;
}

/** The same policy, restricted to reads. */
function readingOnly(policy: Policy = () => 'allow'): Policy {
  return (request) => (request.effects === 'read' ? policy(request) : { deny: 'this run may only read' });
}

/** Forwards the events of an inner run to the outer log, to its end. */
export async function tellOf(child: Run, callId: string, log: Pick<EventLog, 'emit'>): Promise<void> {
  for await (const event of child.events()) log.emit({ type: 'sub-run', callId, event });
  await child.result;
}
