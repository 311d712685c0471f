import { whenReady } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import type { RequestedCall } from '../call/requested-call.ts';
import type { PreparedCall } from '../call/prepare.ts';
import { changedTool, orPreparationFailure } from '../tool/result.ts';
import type { Toolset, ToolsetSource } from './toolset.ts';

/**
 * The toolset that a source returns at each moment. A call runs with the toolset that prepared it; if its tool is gone
 * by then, the result is `unknown_tool`, and if a `foreign` tool has changed by then, `tool_changed`: nobody has
 * approved what would run. A source that throws changes nothing.
 */
export function liveToolset(source: ToolsetSource, first = source()): Toolset {
  let latest = first;
  function current(): Toolset {
    try {
      latest = source();
    } catch {
      // the previous toolset is still valid, and broken settings must not end a run
    }
    return latest;
  }

  function prepare(call: RequestedCall): Eventually<PreparedCall> {
    const toolset = current();
    return whenReady(toolset.prepare(call), (ready) => {
      if (ready.refusal !== undefined) return ready;
      return {
        ...ready,
        execute(context) {
          const present = current();
          if (present === toolset) return ready.execute(context);
          return whenReady(present.prepare({ name: call.name, input: ready.input }), (again) => {
            if (again.refusal?.code === 'unknown_tool') return again.refusal;
            return isChanged(ready, again) ? changedTool(ready.name) : ready.execute(context);
          });
        },
      };
    });
  }

  return {
    definitions: (model) => current().definitions(model),
    prompts: (request) => current().prompts(request),
    get unavailable() {
      return current().unavailable;
    },
    nameOf: (called) => current().nameOf(called),
    tool: (name) => current().tool(name),
    prepare,
    get readBack() {
      return current().readBack;
    },
    get foreign() {
      return current().foreign;
    },
    derive(change) {
      let derived: { readonly from: Toolset; readonly toolset: Toolset } | undefined;
      return liveToolset(() => {
        const from = current();
        if (derived?.from !== from) derived = { from, toolset: from.derive(change) };
        return derived.toolset;
      });
    },
    execute: (call, context) => orPreparationFailure(async () => (await prepare(call)).execute(context)),
  };
}

/** A tool of others that is another one by now: the code that would run is theirs, not what was prepared. */
function isChanged({ foreign, toolFingerprint }: PreparedCall, again: PreparedCall): boolean {
  return foreign === true && again.toolFingerprint !== toolFingerprint;
}
