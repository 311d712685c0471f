const harmless = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;

/** Whether a file of this type is an image that can do nothing but be seen. */
export function isHarmlessImage(mediaType: string): boolean {
  return harmless.test(mediaType);
}
