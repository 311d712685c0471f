import type { GuestState, Kit } from './kit.ts';

/** Messages from the host to the guest. */
export type HostMessage =
  /** The next script is a library, which is complete once it has been evaluated. */
  | { readonly type: 'library'; readonly looksLikeModule: boolean }
  /** The next script evaluates to a function: the code of the user. */
  | { readonly type: 'script' }
  /** The next value is a list of unhandled rejections. */
  | { readonly type: 'rejections' }
  | { readonly type: 'answers'; readonly answers: readonly HostAnswer[] }
  /** Run due timers. */
  | { readonly type: 'turn' };

/** Result of a host call. */
export type HostAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: string } };

/** Interface of the guest to the engine. */
export interface Guest {
  receive(text: string): string;
  accept(failed: boolean, value: unknown): void;
}

/** Runs the code and tracks its pending calls. */
export function guestRun(kit: Kit): Guest {
  /** `error` records the position of the call. */
  const waiting: Record<number, { resolve(value: unknown): void; reject(error: unknown): void; error: Error }> =
    Object.create(null);
  let waitingCount = 0;
  const { parse, stringify } = JSON;
  let lastCall = 0;
  let next: HostMessage = { type: 'turn' };

  kit.call = (name, input) => {
    const error = new Error();
    const id = ++lastCall;
    return new Promise((resolve, reject) => {
      kit.say({ type: 'call', id, name, input }); // throws for input that is not JSON; then no call is made
      waiting[id] = { resolve, reject, error };
      waitingCount++;
    });
  };

  /** Error of a call, with the position of the call. */
  const failed = (error: Error, { message, code }: { readonly message: string; readonly code?: string }): Error =>
    Object.defineProperties(error, {
      message: { value: message },
      ...(code !== undefined && { code: { value: code, enumerable: true } }),
    });

  kit.callNow = (name, input) => {
    const answer = kit.ask('call', { name, input }) as HostAnswer | null;
    if (answer !== null && 'error' in answer) throw failed(new Error(), answer.error);
    return answer?.value;
  };

  const settle = (isError: boolean, text: string): void => kit.say({ type: 'settled', isError, text: kit.cut(text) });

  /** An error may be too large to be formatted in the remaining memory. */
  const fail = (thrown: unknown): void => {
    try {
      settle(true, kit.explain(thrown));
    } catch {
      settle(true, 'Error: The error of the script is too large to be shown.');
    }
  };

  const run = async (script: () => unknown): Promise<void> => {
    try {
      const value = await script();
      settle(false, kit.show(value));
    } catch (error) {
      fail(error);
    }
  };

  const answer = (given: HostAnswer): void => {
    const asker = waiting[given.id];
    if (asker === undefined) return;
    delete waiting[given.id];
    waitingCount--;
    if ('value' in given) asker.resolve(given.value);
    else if ('error' in given) asker.reject(failed(asker.error, given.error));
    else asker.resolve(undefined);
  };

  return {
    receive(text) {
      const message = parse(text) as HostMessage;
      if (message.type === 'answers')
        for (let index = 0; index < message.answers.length; index++) answer(message.answers[index] as HostAnswer);
      if (message.type === 'library' || message.type === 'script' || message.type === 'rejections') next = message;
      if (message.type !== 'turn') return '';
      const { ran, isAwaited, wakeAt } = kit.runTimer();
      const state: GuestState & { __proto__: null } = {
        __proto__: null,
        ran,
        isAwaited: isAwaited || waitingCount > 0,
        ...(wakeAt !== undefined && { wakeAt }),
      };
      return stringify(state);
    },
    accept(failed, value) {
      if (next.type === 'script') {
        if (failed) fail(value);
        else void run(value as () => unknown);
      } else if (next.type === 'rejections') kit.print('ERROR', `Uncaught (in promise) ${kit.explain(value)}`);
      else if (next.type === 'library' && failed) {
        const isModule = next.looksLikeModule && value instanceof SyntaxError;
        if (!isModule) kit.print('ERROR', kit.explain(value));
      }
    },
  };
}
