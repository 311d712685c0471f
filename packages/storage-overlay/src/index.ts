export { overlayStorage } from './overlay.ts';
export type { OverlayStorage } from './overlay.ts';
export type { OverlayChanges } from './difference.ts';
