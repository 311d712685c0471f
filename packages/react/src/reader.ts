/** Reads something whenever it may have changed. */
export interface Reader {
  again(): void;
  /** Shows nothing any more. */
  stop(): void;
}

/**
 * Reads on demand: one reading at a time, and one more for all that was asked for meanwhile. What changes all the time is
 * shown as often as it can be read.
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
