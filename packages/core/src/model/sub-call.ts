/** Separates the id of a call from the number of an inner call. Ids of the model's own calls never contain it. */
export const subCallMark = '›';

/** The model's call that an inner call belongs to. */
export function outermost(callId: string): string {
  return callId.split(subCallMark)[0] ?? callId;
}
