import type { Schema } from '@utensil/core';
import * as z from 'zod/mini';

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

/** The schema shown to the model. The tool itself answers input without code. */
export const javascriptInput: Schema<JavaScriptInput> = {
  '~standard': {
    ...described['~standard'],
    validate: (value) => ({ value: typeof value === 'object' && value !== null ? value : {} }),
  },
};
