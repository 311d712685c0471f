/** Reads a source whenever it may have changed. */
export interface Reader {
  again(): void;
  /** Stops reporting results. */
  stop(): void;
}

/**
 * Reads on demand: one read at a time, followed by one more for all requests in the meantime. A source that changes
 * constantly is shown as often as it can be read.
 */
export function createReader<Found>(read: () => Promise<Found>, show: (found: Found) => void): Reader {
  let isReading = false;
  let isDue = false;
  let isOver = false;

  async function readAll(): Promise<void> {
    isReading = true;
    while (isDue) {
      isDue = false;
      const found = await read();
      if (!isOver) show(found);
    }
    isReading = false;
  }

  return {
    again() {
      isDue = !isOver;
      if (!isReading) void readAll();
    },
    stop() {
      isOver = true;
      isDue = false;
    },
  };
}
