import { addUsage, noUsage } from '@utensil/core';
import type { Json, RunEvent, RunResult, SubRun, SubRunOptions, ToolContext, Usage } from '@utensil/core';
import { notAccepted, returnName } from './return.ts';
import type { ReturnMode } from './return.ts';

/** Work of an agent and its context. */
export interface Work {
  readonly context: Pick<ToolContext, 'run' | 'signal' | 'progress'>;
  readonly run: SubRunOptions;
  readonly returnMode: ReturnMode;
  /** Value returned by a run, perhaps before an interruption. */
  returned(runId: string): Promise<{ readonly value: Json } | undefined>;
  /** Validates an answer. Resolves to a complaint, or undefined. */
  verify(value: Json): Promise<string | undefined>;
}

/** Result of the work. */
export interface Done extends Pick<RunResult, 'status' | 'text' | 'limit' | 'error'> {
  readonly returned?: { readonly value: Json };
  /** The last complaint about the answer, if it was rejected. */
  readonly complaint?: string;
  readonly steps: number;
  readonly usage: Usage;
}

/** Maximum number of requests for a valid answer. */
const mostRetries = 2;

/**
 * Lets an agent work until it has answered. One that forgets to return, or whose answer is rejected, is asked again.
 */
export async function doWork({ context, run, returnMode, returned, verify }: Work): Promise<Done> {
  let steps = 0;
  let usage = noUsage;
  let asked = run;
  for (let retries = 0; ; retries++) {
    const child = await context.run(asked);
    const ended = await follow(child, context);
    steps += ended.steps;
    usage = addUsage(usage, ended.usage);
    const value = returnMode === 'no-return' ? undefined : await returned(child.id);
    const isWhole = ended.status === 'complete' && value === undefined && !context.signal.aborted;
    const complaint = isWhole && mayAnswerInText(returnMode) ? await verify(ended.text) : undefined;
    const again = isWhole ? askAgain(returnMode, complaint) : undefined;
    if (again === undefined || retries === mostRetries)
      return {
        ...ended,
        steps,
        usage,
        ...(value && { returned: value }),
        ...(complaint !== undefined && { complaint }),
      };
    asked = { ...run, ...again };
  }
}

/** Follow-up for an agent that ended without a value; undefined if its text suffices. */
function askAgain(returnMode: ReturnMode, complaint: string | undefined): Partial<SubRunOptions> | undefined {
  if (complaint !== undefined) return { messages: notAccepted(complaint) };
  return returnMode === 'auto-enforced' ? { messages: forgotten, toolChoice: { tool: returnName } } : undefined;
}

const forgotten = 'You ended without a result. Call the tool return now with the result of your task.';

function mayAnswerInText(returnMode: ReturnMode): boolean {
  return returnMode === 'no-return' || returnMode === 'both';
}

/** Reports the progress of a run line by line until it ends; aborts it with the call that started it. */
async function follow(run: SubRun, { signal, progress }: Work['context']): Promise<RunResult> {
  const abort = (): void => run.abort(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  for await (const event of run.events()) {
    const line = lineOf(event);
    if (line !== undefined) progress(line);
  }
  signal.removeEventListener('abort', abort);
  return run.result;
}

function lineOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'tool-start':
      return event.title;
    case 'tool-end':
      return event.result.isError ? `${event.name} failed` : undefined;
    case 'error':
      return event.error.message;
    default:
      return undefined;
  }
}
