import { capability, memoryThread } from '@utensil/core';
import type { Capability, Json, Thread } from '@utensil/core';

/** What an agent wants to give as its answer. */
export interface AgentAnswer {
  readonly agent: string;
  /** What it was last asked to do; empty where it went on by itself. */
  readonly task: string;
  /** What it returned, or the text that it ended with. */
  readonly value: Json;
}

/** Keeps what agents said and did, so that they can be gone on with. See {@link createAgents}. */
export interface Agents {
  /** Works with the thread of an agent. Nobody else works with it meanwhile: they wait. */
  use<Result>(id: string, work: (thread: Thread) => Promise<Result>): Promise<Result>;
  /** What is wrong with an answer, for the agent to mend; undefined where nothing is. */
  verify?(answer: AgentAnswer): string | undefined | Promise<string | undefined>;
}

/** Where the host keeps its agents. */
export const agents: Capability<Agents> = /* @__PURE__ */ capability<Agents>('agents');

/** How agents are kept. */
export interface AgentsOptions extends Pick<Agents, 'verify'> {
  /** The thread of an agent. Default: one in memory. */
  thread?(id: string): Thread;
}

/**
 * Agents for the host: in memory, or in threads of the app's.
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
  const last = new Map<string, Promise<unknown>>(); // of the agents that somebody works with
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

/** Threads that are kept for as long as the program runs. */
function memoryThreads(): (id: string) => Thread {
  const threads = new Map<string, Thread>();
  return (id) => {
    const thread = threads.get(id) ?? memoryThread(id);
    threads.set(id, thread);
    return thread;
  };
}
