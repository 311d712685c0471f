import { type FilePart, type SourcePart, isObject } from '@utensil/core';

/** The pages that a fragment cites. */
export function sourcesIn(annotations: unknown): readonly SourcePart[] {
  return objectsIn(annotations).flatMap(({ url_citation: cited }): readonly SourcePart[] => {
    if (!isObject(cited) || typeof cited['url'] !== 'string') return [];
    const { url, title } = cited;
    return [{ type: 'source', url, ...(typeof title === 'string' && title !== '' && { title }) }];
  });
}

/** The images that a model of a gateway has drawn, which come as data URLs or as addresses. */
export function imagesIn(images: unknown): readonly FilePart[] {
  return objectsIn(images).flatMap(({ image_url: image }): readonly FilePart[] => {
    const url = isObject(image) ? image['url'] : undefined;
    if (typeof url !== 'string') return [];
    const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
    if (mediaType !== undefined && data !== undefined) return [{ type: 'file', mediaType, data }];
    return [{ type: 'file', mediaType: 'image/png', url }];
  });
}

function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
