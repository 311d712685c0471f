import { subCallMark } from '../../model/sub-call.ts';

/** A call and its outer calls, outermost last. */
export function callsAround(callId: string): readonly string[] {
  const ids: string[] = [callId];
  for (let end = callId.lastIndexOf(subCallMark); end > 0; end = callId.lastIndexOf(subCallMark, end - 1))
    ids.push(callId.slice(0, end));
  return ids;
}
