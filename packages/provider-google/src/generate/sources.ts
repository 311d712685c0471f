import type { SourcePart } from '@utensil/core';
import type { Candidate, GroundingChunk } from '@google/genai';

interface Cited {
  readonly uri?: string | undefined;
  readonly title?: string | undefined;
}

/** The pages that an answer stands on and that were not named before. */
export function sourcesOf(candidate: Candidate, cited: Set<string>): readonly SourcePart[] {
  const { groundingMetadata, urlContextMetadata, citationMetadata } = candidate;
  const all: readonly Cited[] = [
    ...(groundingMetadata?.groundingChunks ?? []).flatMap(fromChunk),
    ...(urlContextMetadata?.urlMetadata ?? [])
      .filter(({ urlRetrievalStatus: status }) => status === undefined || status.endsWith('SUCCESS'))
      .map(({ retrievedUrl }) => ({ uri: retrievedUrl })),
    ...(citationMetadata?.citations ?? []),
  ];
  return all.flatMap(({ uri, title }) => {
    if (!uri || cited.has(uri)) return [];
    cited.add(uri);
    return [{ type: 'source', url: uri, ...(title && { title }) }];
  });
}

function fromChunk({ web, maps, retrievedContext }: GroundingChunk): readonly Cited[] {
  return [web, maps, retrievedContext].filter((each) => each !== undefined);
}
