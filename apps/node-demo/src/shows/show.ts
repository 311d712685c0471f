import type { scriptedModel } from '@utensil/core/testing';

/** A demonstration without a language model: a request and scripted answers. The tools are real. */
export interface Show {
  readonly about: string;
  /** Files to create in the folder, by path. Existing ones are kept. */
  readonly files: Readonly<Record<string, string>>;
  readonly request: string;
  readonly script: Parameters<typeof scriptedModel>[0];
}
