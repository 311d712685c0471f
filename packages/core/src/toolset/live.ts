import { whenReady } from '../base/eventually.ts';
import type { Eventually } from '../base/eventually.ts';
import type { PreparedCall, RequestedCall } from '../call/prepare.ts';
import type { Toolset, ToolsetSource } from './toolset.ts';

/**
 * The toolset that a source gives at each moment. A call is made with the toolset that it was prepared with; only if its tool is
 * gone by then, it is a call of an unknown tool. A source that throws changes nothing.
 */
export function liveToolset(source: ToolsetSource, first = source()): Toolset {
  let latest = first;
  function current(): Toolset {
    try {
      latest = source();
    } catch {
      // what it gave before still is a toolset, and a run is not ended by its settings
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
          return whenReady(present.prepare({ name: call.name, input: ready.input }), ({ refusal }) =>
            refusal?.code === 'unknown_tool' ? refusal : ready.execute(context),
          );
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
    execute: async (call, context) => (await prepare(call)).execute(context),
  };
}
