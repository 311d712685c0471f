import { capability, memoryThread } from '@utensil/core';
import type { Capability, Json, Thread } from '@utensil/core';

/** The proposed answer of an agent. */
export interface AgentAnswer {
  readonly agent: string;
  /** Latest task; empty if it continued by itself. */
  readonly task: string;
  /** Returned value, or the final text. */
  readonly value: Json;
}

/** Keeps the conversations of agents so that they can be continued. See {@link createAgents}. */
export interface Agents {
  /** Works with an agent's thread exclusively; others wait. */
  use<Result>(id: string, work: (thread: Thread) => Promise<Result>): Promise<Result>;
  /** Validates an answer. Returns a complaint for the agent to fix, or undefined. */
  verify?(answer: AgentAnswer): string | undefined | Promise<string | undefined>;
}

/** Capability: storage of agents. */
export const agents: Capability<Agents> = /* @__PURE__ */ capability<Agents>('agents');

/** Options of {@link createAgents}. */
export interface AgentsOptions extends Pick<Agents, 'verify'> {
  /** Thread of an agent. Default: in memory. */
  thread?(id: string): Thread;
}

/**
 * Creates the agents of a host, in memory or in threads of the app.
 *
 * @example
 * ```ts
 * import { createRecords, openThread } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { createAgents } from '@utensil/tool-agent';
 *
 * const records = createRecords(memoryStorage());
 * const agents = createAgents({
 *   thread: (id) => openThread(records, id),
 *   verify: ({ value }) => (value === '' ? 'It is empty.' : undefined),
 * });
 * ```
 */
export function createAgents({ thread = memoryThreads(), verify }: AgentsOptions = {}): Agents {
  const last = new Map<string, Promise<unknown>>(); // for agents in use
  return {
    use(id, work) {
      const done = (last.get(id) ?? Promise.resolve()).then(() => work(thread(id)));
      const settled = done
        .catch(() => undefined)
        .then(() => {
          if (last.get(id) === settled) last.delete(id);
        });
      last.set(id, settled);
      return done;
    },
    ...(verify && { verify }),
  };
}

/** Threads that last as long as the process. */
function memoryThreads(): (id: string) => Thread {
  const threads = new Map<string, Thread>();
  return (id) => {
    const thread = threads.get(id) ?? memoryThread(id);
    threads.set(id, thread);
    return thread;
  };
}
