import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';

const step = z.object({
  step: z.string().check(z.minLength(1), z.describe('What is to be done, in a few words.')),
  status: z.enum(['pending', 'in_progress', 'completed']),
});

/** Shows the user what the model is about to do, and how far it is. The plan is in the thread: `render.user` gives it. */
export const planTool = /* @__PURE__ */ defineTool({
  name: 'update_plan',
  title: 'Plan',
  description:
    'Shows the user your plan for a task of several steps, and how far you are. Give the whole plan each time, with at most one step in progress.',
  input: z.toJSONSchema(
    z.object({
      plan: z.array(step).check(z.minLength(1), z.describe('All steps, in their order.')),
      explanation: z.optional(z.string().check(z.describe('Why the plan changed.'))),
    }),
  ),
  ui: { subtitle: 'What is done and what comes next', icon: '🗒️', category: 'notes' },
  effects: 'read',
  execute: ({ plan, explanation }) => {
    const running = plan.filter(({ status }) => status === 'in_progress');
    if (running.length > 1) throw new Error(`"plan" has ${running.length} steps in_progress: at most one may be.`);
    return { plan, ...(explanation !== undefined && { explanation }) };
  },
  render: {
    status: (output) => progressOf(output),
    model: () => 'Plan updated.',
    user: (output) => output,
  },
});

function progressOf(output: unknown): string {
  const { plan } = output as { readonly plan: readonly z.infer<typeof step>[] };
  return `${plan.filter(({ status }) => status === 'completed').length} of ${plan.length} done`;
}
