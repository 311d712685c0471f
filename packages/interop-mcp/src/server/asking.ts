import { UtensilError } from '@utensil/core';
import type { Question, QuestionAnswer } from '@utensil/core';
import type { AskPeople } from '@utensil/core/guard';

/** The question of one client call, and its answer. */
export interface Asking {
  /** The answer brought by the client. */
  readonly answer?: { readonly questionId: string; readonly given: QuestionAnswer };
  /** Set if the call needs an answer. */
  question?: Question;
}

/** Calls under way, by their individual signals. */
const known = new WeakMap<AbortSignal, Asking>();

/** Lets {@link askClient} ask the client of this call. */
export function allowAsking(signal: AbortSignal, asking: Asking): void {
  known.set(signal, asking);
}

/**
 * Asks the person at the MCP client that makes the call, by elicitation: for the `ask` of a guard around a served
 * toolset. An inner call of a tool is denied instead, because MCP repeats a call to answer it.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, permissions, resolveToolset } from '@utensil/core';
 * import { guard } from '@utensil/core/guard';
 * import { askClient, mcpHandler } from '@utensil/interop-mcp/server';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * const guarded = guard(toolset, { policy: permissions('write'), ask: askClient, limits: { repeats: Infinity } });
 * mcpHandler(guarded, { name: 'notes', version: '1.0.0' });
 * ```
 */
export const askClient: AskPeople = (question, { signal }) => {
  const asking = known.get(signal);
  if (asking === undefined)
    throw new UtensilError('invalid_option', 'Only a call that an MCP client has made itself can be asked about.');
  if (asking.answer?.questionId === question.id) return asking.answer.given;
  asking.question = question;
  return 'later';
};
