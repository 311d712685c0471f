/** An id for a call to which a server gave none: 37 characters, for some vendors take at most 40. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll('-', '')}`;
}
