import type { DialectName } from './presets.ts';

/** Models that were trained on one dialect. */
export interface Family {
  /** Matches a part of their ids. */
  readonly models: RegExp;
  readonly dialect: DialectName;
  /** Their chat template opens the thoughts of a turn, so that its text begins inside one. */
  readonly opensThoughts?: true;
  /** Where this is known from. */
  readonly from: string;
}

/** The first that matches counts. */
export const families: readonly Family[] = [
  { models: /functiongemma/i, dialect: 'functionGemma', from: 'chat template of google/functiongemma-270m-it' },
  { models: /gemma-?4/i, dialect: 'gemma', from: 'chat template of Gemma 4' },
  { models: /gpt-?oss/i, dialect: 'harmony', from: 'Harmony format of openai/gpt-oss-120b' },
  { models: /glm-?4\.[56]/i, dialect: 'glm', from: 'chat template of zai-org/GLM-4.6' },
  { models: /glm-?(?:4\.7|5)/i, dialect: 'glm', opensThoughts: true, from: 'chat template of zai-org/GLM-4.7' },
  { models: /deepseek-?v4/i, dialect: 'dsml', opensThoughts: true, from: 'encoding of DeepSeek V4' },
  {
    models: /deepseek-?v3\.2(?!-exp)/i,
    dialect: 'dsml',
    opensThoughts: true,
    from: 'encoding of deepseek-ai/DeepSeek-V3.2',
  },
  {
    models: /deepseek-?v3\.[12]/i,
    dialect: 'deepseek',
    opensThoughts: true,
    from: 'chat template of deepseek-ai/DeepSeek-V3.1',
  },
  {
    models: /deepseek-?r1/i,
    dialect: 'deepseekV3',
    opensThoughts: true,
    from: 'chat template of deepseek-ai/DeepSeek-R1',
  },
  { models: /deepseek-?v3|cogito-?v?2/i, dialect: 'deepseekV3', from: 'chat template of deepseek-ai/DeepSeek-V3-0324' },
  { models: /kimi-?k2\.5/i, dialect: 'kimi', opensThoughts: true, from: 'chat template of moonshotai/Kimi-K2.5' },
  { models: /kimi/i, dialect: 'kimi', from: 'chat template of moonshotai/Kimi-K2-Instruct' },
  {
    models: /minimax-?m[2-9]/i,
    dialect: 'minimax',
    opensThoughts: true,
    from: 'chat template of MiniMaxAI/MiniMax-M2',
  },
  { models: /granite-?4/i, dialect: 'hermes', from: 'chat template of ibm-granite/granite-4.0-h-small' },
  { models: /granite/i, dialect: 'granite', from: 'chat template of ibm-granite/granite-3.3-8b-instruct' },
  { models: /jamba/i, dialect: 'jamba', from: 'chat template of ai21labs/AI21-Jamba-1.5-Mini' },
  { models: /\bhy-?3|hunyuan-?3/i, dialect: 'hunyuan3', from: 'chat template of Hunyuan 3' },
  { models: /hunyuan/i, dialect: 'hunyuan', from: 'chat template of tencent/Hunyuan-A13B-Instruct' },
  { models: /phi-?4-?mini/i, dialect: 'phi', from: 'chat template of microsoft/Phi-4-mini-instruct' },
  { models: /gigachat/i, dialect: 'gigachat', from: 'chat template of GigaChat 3' },
  {
    models: /longcat/i,
    dialect: 'longcat',
    opensThoughts: true,
    from: 'chat template of meituan-longcat/LongCat-Flash-Thinking',
  },
  { models: /internlm-?[23]/i, dialect: 'internlm', from: 'chat template of internlm/internlm2_5-7b-chat' },
  { models: /seed-?oss/i, dialect: 'seed', from: 'chat template of ByteDance-Seed/Seed-OSS-36B-Instruct' },
  {
    models: /command-?r-?7b|command-?a/i,
    dialect: 'cohere',
    from: 'chat template of CohereLabs/c4ai-command-a-03-2025',
  },
  { models: /command-?r/i, dialect: 'commandR', from: 'chat template of CohereLabs/c4ai-command-r-plus-08-2024' },
  {
    models: /functionary-(?:small|medium)-v3\.1/i,
    dialect: 'functionary',
    from: 'chat template of meetkai/functionary-small-v3.1',
  },
  { models: /functionary/i, dialect: 'functionary32', from: 'chat template of meetkai/functionary-small-v3.2' },
  { models: /step-?3(?![.p]5)/i, dialect: 'step', from: 'chat template of stepfun-ai/step3' },
  { models: /apertus/i, dialect: 'apertus', from: 'chat template of swiss-ai/Apertus-8B-Instruct-2509' },
  {
    models: /llama.*nemotron|nemotron-nano-(?:9|12)b/i,
    dialect: 'nemotron',
    opensThoughts: true,
    from: 'chat template of nvidia/NVIDIA-Nemotron-Nano-9B-v2',
  },
  { models: /qwen-?3-?coder/i, dialect: 'qwenCoder', from: 'chat template' },
  {
    models: /qwen-?3\.[5-9]|nemotron-?3\b|nemotron-nano|step-?3[.p]5/i,
    dialect: 'qwenCoder',
    opensThoughts: true,
    from: 'chat template',
  },
  { models: /qwq|qwen-?3.*thinking/i, dialect: 'hermes', opensThoughts: true, from: 'chat template' },
  { models: /olmo-?3.*think/i, dialect: 'olmo', opensThoughts: true, from: 'chat template' },
  { models: /olmo/i, dialect: 'olmo', from: 'chat template' },
  { models: /lfm2/i, dialect: 'lfm', from: 'chat template' },
  { models: /llama-?(?:4|3\.2)/i, dialect: 'pythonic', from: 'chat template' },
  { models: /hermes/i, dialect: 'hermes', from: 'chat template' }, // before the llama that it was made of
  { models: /llama/i, dialect: 'llama', from: 'chat template' },
  { models: /mistral|mixtral|ministral|magistral|devstral|codestral/i, dialect: 'mistral', from: 'chat template' },
];

/** The family of a model, by its id. */
export function familyOf(modelId: string): Family | undefined {
  return families.find(({ models }) => models.test(modelId));
}

/** The dialect that a model is asked to write, by its id: `hermes` where nothing is known of it. */
export function dialectFor(modelId: string): DialectName {
  return familyOf(modelId)?.dialect ?? 'hermes';
}
