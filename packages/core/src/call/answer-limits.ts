import type { ContentPart } from '../model/message.ts';

/** The part of a result that the model sees. The tool's own limit comes first, then the run's, then a share of the window. */
export interface AnswerLimits {
  /** In characters. */
  readonly outputLimit?: number | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** Says how to read what is left out, where there is a tool for that. */
  readonly readBack?: string | undefined;
  /** Takes out of a text what the model must not see; before anything is cut, that no part of it is left. */
  clean?(text: string): string;
}

/** A part with everything cleaned that can be read: texts, names and addresses. What is base64 stays. */
export function cleaned(part: ContentPart, clean: (text: string) => string): ContentPart {
  if (part.type === 'text') {
    const { text, resource } = part;
    const named = resource && { resource: { key: clean(resource.key), etag: clean(resource.etag) } };
    return { ...part, text: clean(text), ...named };
  }
  const told = Object.entries(part).map(([name, value]: [string, unknown]) => {
    const isRead = typeof value === 'string' && name !== 'type' && name !== 'data';
    return [name, isRead ? clean(value) : value] as const;
  });
  return Object.fromEntries(told) as object as ContentPart;
}
