/** A multiple of three, so that what is written of each stretch has no end of its own, and as much as a call takes. */
const stretch = 8190;

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += stretch)
    text += btoa(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + stretch)));
  return text;
}

/** The bytes of base64. Throws where it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at); // a map over them takes thirty times as long
  return bytes;
}
