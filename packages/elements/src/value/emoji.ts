const known = new Map<string, boolean>();

/**
 * True if this machine can draw an emoji in color, instead of an empty box in the color of the text. Assumed to be true
 * if drawing is impossible.
 */
export function isDrawn(emoji: string): boolean {
  const before = known.get(emoji);
  if (before !== undefined) return before;
  const drawn = hasColours(emoji);
  known.set(emoji, drawn);
  return drawn;
}

const side = 16;

function hasColours(emoji: string): boolean {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return true;
  context.font = `${side - 4}px sans-serif`;
  context.textBaseline = 'top';
  context.fillText(emoji, 0, 0);
  const { data } = context.getImageData(0, 0, side, side);
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return true;
  }
  return false;
}
