import type { DialectName } from './presets.ts';

/** Models that were trained on one dialect. */
interface Family {
  /** Matches a part of their ids. */
  readonly models: RegExp;
  readonly dialect: DialectName;
  /** Their chat template opens the thoughts of a turn, so that its text begins inside one. */
  readonly opensThoughts?: true;
  /** Where this is known from. */
  readonly from: string;
}

/** The first that matches counts. */
const families: readonly Family[] = [
  { models: /qwen3-coder/i, dialect: 'qwenCoder', from: 'chat template' },
  { models: /qwen3\.5|nemotron/i, dialect: 'qwenCoder', opensThoughts: true, from: 'chat template' },
  { models: /lfm2/i, dialect: 'lfm', from: 'chat template' },
  { models: /llama-?(?:4|3\.2)|olmo/i, dialect: 'pythonic', from: 'chat template' },
  { models: /hermes/i, dialect: 'hermes', from: 'chat template' }, // before the llama that it was made of
  { models: /llama/i, dialect: 'llama', from: 'chat template' },
  { models: /mistral|mixtral|ministral|magistral|devstral|codestral/i, dialect: 'mistral', from: 'chat template' },
];

/** The family of a model, by its id. */
function familyOf(modelId: string): Family | undefined {
  return families.find(({ models }) => models.test(modelId));
}

/** The dialect that a model is asked to write, by its id: `hermes` where nothing is known of it. */
export function dialectFor(modelId: string): DialectName {
  return familyOf(modelId)?.dialect ?? 'hermes';
}
