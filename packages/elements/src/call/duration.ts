/** How long something took, in words. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1_000;
  if (seconds < 0.95) return `${Math.round(milliseconds)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  const all = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`;
}
