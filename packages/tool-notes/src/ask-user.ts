import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';

/**
 * Asks the user a question. It has no `execute`: the run reports the question as `input-request`, and the app answers
 * with `run.answer(questionId, { output })`. If nobody can answer, the model is told so.
 */
export const askUserTool = /* @__PURE__ */ defineTool({
  name: 'ask_user',
  title: 'Ask the user',
  description:
    'Asks the user a question that only they can answer, and waits for the answer. Do not ask what you can find out.',
  input: z.toJSONSchema(
    z.object({
      question: z.string().check(z.minLength(1), z.describe('One question, in a sentence or two.')),
      options: z.optional(
        z.array(z.string()).check(z.describe('Suggested answers, if there are a few. The user may give another one.')),
      ),
    }),
  ),
  ui: { subtitle: 'Questions from the model to you', icon: '❓', category: 'notes' },
  effects: 'read',
  render: { title: 'Ask: {question}' },
});
