import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';

const step = z.object({
  step: z.string().check(z.minLength(1), z.describe('The step, in a few words.')),
  status: z.enum(['pending', 'in_progress', 'completed']),
});

/** Shows the user the model's plan and its progress. The thread holds the plan: `render.user` returns it. */
export const planTool = /* @__PURE__ */ defineTool({
  name: 'update_plan',
  title: 'Plan',
  description:
    'Shows the user your plan for a task of several steps, and your progress. Give the whole plan each time, with at most one step in progress.',
  input: z.toJSONSchema(
    z.object({
      plan: z.array(step).check(z.minLength(1), z.describe('All steps, in their order.')),
      explanation: z.optional(z.string().check(z.describe('Why the plan changed.'))),
    }),
  ),
  ui: { subtitle: 'Plan and progress', icon: '🗒️', category: 'notes' },
  effects: 'read',
  execute: ({ plan, explanation }) => {
    const running = plan.filter(({ status }) => status === 'in_progress');
    if (running.length > 1) throw new Error(`"plan" has ${running.length} steps in_progress: at most one is allowed.`);
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
