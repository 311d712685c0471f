/** Between the id of a call and the number of one that its tool makes. No call of the model's has it in its id. */
export const subCallMark = '›';

/** The call of the model's that a call of a tool's belongs to. */
export function outermost(callId: string): string {
  return callId.split(subCallMark)[0] ?? callId;
}

/** A call and the calls around it, the outermost one last. */
export function callsAround(callId: string): readonly string[] {
  const ids: string[] = [callId];
  for (let end = callId.lastIndexOf(subCallMark); end > 0; end = callId.lastIndexOf(subCallMark, end - 1))
    ids.push(callId.slice(0, end));
  return ids;
}
