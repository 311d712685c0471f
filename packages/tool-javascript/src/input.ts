import type { Schema } from '@utensil/core';
import * as z from 'zod/mini';

/** The input of the tool. */
export interface JavaScriptInput {
  readonly code?: unknown;
}

const described = /* @__PURE__ */ z.toJSONSchema(
  /* @__PURE__ */ z.object({
    code: z
      .string()
      .check(z.describe('The body of an async function: `return` gives the result, `await` works at the top.')),
  }),
);

/** The schema as the model is told it. What it gives instead of code, the tool answers in its own words. */
export const javascriptInput: Schema<JavaScriptInput> = {
  '~standard': {
    ...described['~standard'],
    validate: (value) => ({ value: typeof value === 'object' && value !== null ? value : {} }),
  },
};
