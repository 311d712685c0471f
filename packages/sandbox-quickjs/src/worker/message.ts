import type { GuestMessage, GuestState } from '../guest/kit.ts';

/** What each message has, and of which type. */
const shapes: { readonly [Type in GuestMessage['type']]: Readonly<Record<string, string>> } = {
  console: { level: 'string', text: 'string' },
  call: { id: 'number', name: 'string' },
  halt: { text: 'string' },
  settled: { isError: 'boolean', text: 'string' },
};

/** Levels of console lines, as core names them. */
const levels: readonly string[] = ['LOG', 'INFO', 'WARN', 'ERROR', 'DEBUG'];

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
  if (type === 'console' && !levels.includes(String(message['level']))) return false;
  return Object.entries(shapes[type as GuestMessage['type']]).every(([name, kind]) => typeof message[name] === kind);
}

/** Characters of a state: code may have put anything into it, which is not read. */
const longestState = 500;

/** What is under way in the guest; undefined for what does not say so, because code may have changed what it says. Never throws. */
export function readState(text: string): GuestState | undefined {
  try {
    const state: unknown = text.length > longestState ? undefined : JSON.parse(text);
    return isState(state) ? state : undefined;
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
