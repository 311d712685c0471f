import { hmacSeals, isObject } from '@utensil/core';
import type { Json, JsonObject, Principal, Seals } from '@utensil/core';

/** The part of a waiting call that its thread stores. */
export interface WaitingCall extends JsonObject {
  readonly tool: string;
  readonly input: JsonObject;
  readonly requests: JsonObject;
  readonly state: string | null;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Owner of the call. */
export interface CallOwner {
  /** The server, and the version of its tool as listed. */
  readonly from: Json;
  readonly callId: string;
  readonly principal?: Principal;
}

/** Distinguishes waiting calls of the app from those that another program wrote into a thread. */
export interface CallSeals {
  seal(call: WaitingCall, owner: CallOwner): Promise<JsonObject>;
  /** @throws if it was changed, belongs to someone else, or to another server or version of the tool. */
  open(handle: Json, owner: CallOwner): Promise<WaitingCall>;
}

/** Default: with a key of this process. */
export function createCallSeals(given: Seals | undefined): CallSeals {
  let own = given;
  const seals = (): Seals => (own ??= hmacSeals(crypto.getRandomValues(new Uint8Array(32))));
  const statement = (call: WaitingCall, { callId, principal, from }: CallOwner): JsonObject => ({
    about: 'mcp call that waits',
    call,
    from,
    callId,
    principal: JSON.stringify(principal ?? null),
  });
  return {
    async seal(call, owner) {
      return { ...call, seal: await seals().make(statement(call, owner)) };
    },
    async open(handle, owner) {
      const { seal, ...call } = isObject(handle) ? (handle as WaitingCall) : ({} as WaitingCall);
      if (typeof seal !== 'string' || !(await seals().fits(statement(call, owner), seal)))
        throw new Error(
          'This call cannot be resumed: its stored state was not written by this app with its current key, or the server or its tool has changed since.',
        );
      return call;
    },
  };
}
