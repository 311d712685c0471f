const harmless = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

/** True if a media type is a passive image. */
export function isHarmlessImage(mediaType: string): boolean {
  return harmless.test(mediaType);
}
