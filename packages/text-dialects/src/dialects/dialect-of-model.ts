import type { DialectName } from './dialects.ts';

/** Models that were trained on one dialect. */
export interface Family {
  /** Matches a part of their ids. */
  readonly models: RegExp;
  readonly dialect: DialectName;
  /** Their chat template opens the thoughts of a turn, so that its text begins inside one. */
  readonly opensThoughts?: true;
}

/** The first that matches counts. */
export const families: readonly Family[] = [
  { models: /functiongemma/i, dialect: 'functionGemma' },
  { models: /gemma-?4/i, dialect: 'gemma' },
  { models: /gpt-?oss/i, dialect: 'harmony' },
  { models: /glm-?4\.[56]/i, dialect: 'glm' },
  { models: /glm-?(?:4\.7|5)/i, dialect: 'glm', opensThoughts: true },
  { models: /deepseek-?v4(?!\.\d)/i, dialect: 'dsmlV4', opensThoughts: true }, // 4.1 has other tags
  { models: /deepseek-?v3\.2(?!-exp)/i, dialect: 'dsml', opensThoughts: true },
  { models: /deepseek-?v3\.[12]/i, dialect: 'deepseek' }, // it thinks only if asked
  { models: /deepseek-?r1/i, dialect: 'deepseekV3', opensThoughts: true },
  { models: /deepseek-?v3|cogito-?v?2/i, dialect: 'deepseekV3' },
  { models: /kimi-?k2\.5/i, dialect: 'kimi', opensThoughts: true },
  { models: /kimi(?!-?k[3-9])/i, dialect: 'kimi' }, // K3 has other tags
  { models: /minimax-?m2/i, dialect: 'minimax', opensThoughts: true }, // M3 has other tags
  { models: /granite-?4/i, dialect: 'hermes' },
  { models: /granite/i, dialect: 'granite' },
  { models: /jamba/i, dialect: 'jamba' },
  { models: /\bhy-?3|hunyuan-?3/i, dialect: 'hunyuan3' },
  { models: /hunyuan/i, dialect: 'hunyuan' },
  { models: /phi-?4-?mini/i, dialect: 'phi' },
  { models: /gigachat(?!-?3\.5)/i, dialect: 'gigachat' }, // 3.5 has other tags
  { models: /longcat/i, dialect: 'longcat', opensThoughts: true },
  { models: /internlm-?[23]/i, dialect: 'internlm' },
  { models: /seed-?oss/i, dialect: 'seed' },
  { models: /command-?r-?7b|command-?a/i, dialect: 'cohere' },
  { models: /command-?r/i, dialect: 'commandR' },
  { models: /functionary-(?:small|medium)-v3\.1/i, dialect: 'functionary' },
  { models: /functionary/i, dialect: 'functionary32' },
  { models: /step-?3(?![.p][5-9])/i, dialect: 'step' },
  { models: /apertus/i, dialect: 'apertus' },
  { models: /llama.*nemotron/i, dialect: 'nemotron' },
  { models: /nemotron-nano-(?:9|12)b/i, dialect: 'nemotron', opensThoughts: true },
  { models: /qwen-?3-?coder/i, dialect: 'qwenCoder' },
  { models: /qwen-?3\.[5-9]/i, dialect: 'qwenCoder', opensThoughts: true },
  { models: /step-?3[.p][5-9]/i, dialect: 'qwenCoder', opensThoughts: true },
  { models: /nemotron-?3\b|nemotron-nano/i, dialect: 'qwenCoder', opensThoughts: true },
  { models: /qwq/i, dialect: 'hermes', opensThoughts: true },
  { models: /qwen-?3.*thinking/i, dialect: 'hermes', opensThoughts: true },
  { models: /olmo-?3.*think/i, dialect: 'olmo', opensThoughts: true },
  { models: /olmo/i, dialect: 'olmo' },
  { models: /lfm2/i, dialect: 'lfm' },
  { models: /llama-?(?:4|3\.2)/i, dialect: 'pythonic' },
  { models: /hermes/i, dialect: 'hermes' }, // before the llama that it was made of
  { models: /llama/i, dialect: 'llama' },
  { models: /mistral|mixtral|ministral|magistral|devstral|codestral/i, dialect: 'mistral' },
];

/** The family of a model, by its id. */
export function familyOf(modelId: string): Family | undefined {
  return families.find(({ models }) => models.test(modelId));
}

/** The dialect that a model is asked to write, by its id: `hermes` if it is unknown. */
export function dialectFor(modelId: string): DialectName {
  return familyOf(modelId)?.dialect ?? 'hermes';
}
