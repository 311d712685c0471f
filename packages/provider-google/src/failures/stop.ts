import type { SafetyRating } from '@google/genai';

/** What the API says of an answer that was stopped, or of a question that was blocked. */
export interface Stop {
  readonly reason: string;
  readonly said?: string | undefined;
  readonly ratings?: readonly SafetyRating[] | undefined;
  /** The question was blocked: there is no answer. */
  readonly isBlocked?: boolean;
}

/** For people: why an answer was stopped, in the words of the API where it has some. */
export function explainStop({ reason, said, ratings = [], isBlocked = false }: Stop): string {
  if (said) return said;
  // A reason with what it was for: `SAFETY (HARM_CATEGORY_HARASSMENT)`.
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
  UNEXPECTED_TOOL_CALL: 'The model called a tool where it has none to call. Try again.',
  TOO_MANY_TOOL_CALLS: 'The model called too many tools in a row.',
};
