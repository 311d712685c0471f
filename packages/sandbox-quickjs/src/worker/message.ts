import type { GuestMessage } from '../guest/kit.ts';

/** What each message has, and of which type. */
const shapes: { readonly [Type in GuestMessage['type']]: Readonly<Record<string, string>> } = {
  console: { level: 'string', text: 'string' },
  call: { id: 'number', name: 'string' },
  halt: { text: 'string' },
  settled: { isError: 'boolean', text: 'string' },
};

/** A message of the guest; undefined for what is none, because code may have changed how the guest speaks. Never throws. */
export function readMessage(text: string): GuestMessage | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is GuestMessage {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Readonly<Record<string, unknown>>;
  const { type } = message;
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return false;
  return Object.entries(shapes[type as GuestMessage['type']]).every(([name, kind]) => typeof message[name] === kind);
}
