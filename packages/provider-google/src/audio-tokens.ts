/** Tokens of recordings, from counts by modality, which the two APIs spell in two ways; nothing if there are none. */
export function audioTokens(counts: readonly ModalityCount[] | undefined): { readonly audioInputTokens?: number } {
  let tokens = 0;
  for (const { modality, tokenCount, tokens: counted } of counts ?? [])
    if (modality?.toLowerCase() === 'audio') tokens += tokenCount ?? counted ?? 0;
  return tokens > 0 ? { audioInputTokens: tokens } : {};
}

interface ModalityCount {
  readonly modality?: string | undefined;
  readonly tokenCount?: number | undefined;
  readonly tokens?: number | undefined;
}
