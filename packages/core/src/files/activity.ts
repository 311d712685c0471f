/** True if any work is using its files. */
export interface Activity {
  /** Makes a call that counts as activity until it ends. */
  during<Result>(call: () => Promise<Result>): Promise<Result>;
  /** True if there is activity now, or was since the last time this was asked. */
  wasAny(): boolean;
}

export function createActivity(): Activity {
  let running = 0;
  let wasAny = false;
  return {
    async during(call) {
      running++;
      wasAny = true;
      try {
        return await call();
      } finally {
        running--;
      }
    },
    wasAny() {
      const any = wasAny || running > 0;
      wasAny = false;
      return any;
    },
  };
}
