import type { scriptedModel } from '@utensil/core/testing';

/** Something to see without a language model: a request, and what a model could answer. The tools are the real ones. */
export interface Show {
  readonly about: string;
  /** What it needs in the folder, by path. What is there already stays as it is. */
  readonly files: Readonly<Record<string, string>>;
  readonly request: string;
  readonly script: Parameters<typeof scriptedModel>[0];
}
