import type { GuestMessage, GuestState } from '../guest/kit.ts';

/** Required members of each message, with their types. */
const shapes: { readonly [Type in GuestMessage['type']]: Readonly<Record<string, string>> } = {
  console: { level: 'string', text: 'string' },
  call: { id: 'number', name: 'string' },
  halt: { text: 'string' },
  settled: { isError: 'boolean', text: 'string' },
};

/** Console levels, as core names them. */
const levels: readonly string[] = ['LOG', 'INFO', 'WARN', 'ERROR', 'DEBUG'];

/**
 * Validates a message of the guest; undefined if it is invalid, because code may have modified the guest. Never throws.
 */
export function readMessage(text: string): GuestMessage | undefined {
  return read(text, isMessage);
}

function isMessage(value: unknown): value is GuestMessage {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Readonly<Record<string, unknown>>;
  const { type } = message;
  if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return false;
  if (type === 'console' && !levels.includes(String(message['level']))) return false;
  return Object.entries(shapes[type as GuestMessage['type']]).every(([name, kind]) => typeof message[name] === kind);
}

/** Maximum characters of a state; code may have modified it. */
const longestState = 500;

/**
 * Validates a state of the guest; undefined if it is invalid, because code may have modified the guest. Never throws.
 */
export function readState(text: string): GuestState | undefined {
  return text.length > longestState ? undefined : read(text, isState);
}

function read<Value>(text: string, isValid: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isValid(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isState(value: unknown): value is GuestState {
  if (typeof value !== 'object' || value === null) return false;
  const { ran, isAwaited, wakeAt } = value as Readonly<Record<string, unknown>>;
  const isTime = wakeAt === undefined || typeof wakeAt === 'number';
  return typeof ran === 'boolean' && typeof isAwaited === 'boolean' && isTime;
}
