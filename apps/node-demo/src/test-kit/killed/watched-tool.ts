import type { Policy, Tool, ToolContext } from '@utensil/core';
import { between, type Reached } from './boundaries.ts';

interface Labelled {
  readonly label: string;
}

/** A tool with a boundary before and after its work, its preview, its calls and its runs, and at its cancellation. */
export function watchedTool(tool: Tool<Labelled>, at: Reached): Tool<Labelled> {
  const { execute, preview } = tool;
  return {
    ...tool,
    ...(preview && {
      preview: (input, ...given) => between(at, `tool.preview(${input.label})`, () => preview(input, ...given)),
    }),
    ...(execute && {
      execute: (input, options, context) =>
        between(at, `tool.execute(${input.label})`, () => execute(input, options, watchedContext(context, input, at))),
    }),
  };
}

/** A context whose calls and runs have boundaries; other members come from the original. */
function watchedContext(context: ToolContext, { label }: Labelled, at: Reached): ToolContext {
  const watched: Pick<ToolContext, 'call' | 'run'> = {
    call: (...given) => between(at, `tool.call(${label})`, () => context.call(...given)),
    run: (options) => between(at, `tool.run(${label})`, () => context.run(options)),
  };
  return Object.assign(Object.create(context) as ToolContext, watched);
}

/** A policy with a boundary on either side of each decision. */
export function watchedPolicy(policy: Policy, at: Reached): Policy {
  return (request) => between(at, `policy(${String(request.input['label'])})`, () => policy(request));
}
