/** Separates the id of a call from the number of an inner call. Ids of the model's own calls never contain it. */
export const subCallMark = '›';

/** The model's call that an inner call belongs to. */
export function outermost(callId: string): string {
  return callId.split(subCallMark)[0] ?? callId;
}

/** The id of a call of the model; another one if it is empty, taken, or contains the mark of inner calls. */
export function uniqueCallId(callId: string, taken: { readonly size: number; has(callId: string): boolean }): string {
  const given = callId.replaceAll(subCallMark, '-') || 'call';
  let id = given;
  for (let count = 2; taken.has(id); count += count < 100 ? 1 : taken.size) id = `${given}-${count}`; // of thousands of one id, not each tries all numbers
  return id;
}
