/** Between the id of a call and the number of one that its tool makes. No call of the model's has it in its id. */
export const subCallMark = '›';

/** The call of the model's that a call of a tool's belongs to. */
export function outermost(callId: string): string {
  return callId.split(subCallMark)[0] ?? callId;
}
