import type { SafetyRating } from '@google/genai';

/** The API's reason for a stopped answer or a blocked question. */
export interface Stop {
  readonly reason: string;
  readonly said?: string | undefined;
  readonly ratings?: readonly SafetyRating[] | undefined;
  /** The question was blocked: there is no answer. */
  readonly isBlocked?: boolean;
}

/** For people: why an answer was stopped, in the API's words if it has any. */
export function explainStop({ reason, said, ratings = [], isBlocked = false }: Stop): string {
  if (said) return said;
  // A reason with its category: `SAFETY (HARM_CATEGORY_HARASSMENT)`.
  const blocked = ratings.filter((rating) => rating.blocked === true || String(rating.probability) === 'HIGH');
  const categories = blocked.map(({ category }) => category).join(', ');
  const named = categories === '' ? reason : `${reason} (${categories})`;
  if (isBlocked) return `The question was blocked: ${named}.`;
  return explanations[reason] ?? `The answer was stopped: ${named}.`;
}

/** Explanations for reasons that are not clear by themselves. */
const explanations: Readonly<Record<string, string>> = {
  MALFORMED_FUNCTION_CALL: 'The model wrote a call that cannot be read. Try again.',
  MALFORMED_RESPONSE: 'The model wrote an answer that cannot be read. Try again.',
  UNEXPECTED_TOOL_CALL: 'The model called a tool although it has none. Try again.',
  TOO_MANY_TOOL_CALLS: 'The model called too many tools in a row.',
};
