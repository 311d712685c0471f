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

/** A template that was read for the row. */
const llamaCpp = (name: string): string => `ggml-org/llama.cpp: models/templates/${name}.jinja`;
const vllm = (name: string): string => `vllm-project/vllm: ${name}`;

/** The first that matches counts. */
export const families: readonly Family[] = [
  {
    models: /functiongemma/i,
    dialect: 'functionGemma',
    from: 'ai.google.dev/gemma/docs/functiongemma/formatting-and-best-practices',
  },
  { models: /gemma-?4/i, dialect: 'gemma', from: llamaCpp('gemma4') },
  { models: /gpt-?oss/i, dialect: 'harmony', from: 'description of the Harmony format of openai/gpt-oss-120b' },
  { models: /glm-?4\.[56]/i, dialect: 'glm', from: llamaCpp('GLM-4.6') },
  {
    models: /glm-?(?:4\.7|5)/i,
    dialect: 'glm',
    opensThoughts: true,
    from: 'description of the chat template of zai-org/GLM-4.7',
  },
  {
    models: /deepseek-?v4/i,
    dialect: 'dsmlV4',
    opensThoughts: true,
    from: vllm('vllm/tool_parsers/deepseekv4_tool_parser.py'),
  },
  {
    models: /deepseek-?v3\.2(?!-exp)/i,
    dialect: 'dsml',
    opensThoughts: true,
    from: llamaCpp('DeepSeek-V3.2'),
  },
  {
    models: /deepseek-?v3\.[12]/i, // it thinks only if asked
    dialect: 'deepseek',
    from: llamaCpp('deepseek-ai-DeepSeek-V3.1'),
  },
  {
    models: /deepseek-?r1/i,
    dialect: 'deepseekV3',
    opensThoughts: true,
    from: 'description of the chat template of deepseek-ai/DeepSeek-R1',
  },
  {
    models: /deepseek-?v3|cogito-?v?2/i,
    dialect: 'deepseekV3',
    from: 'description of the chat template of deepseek-ai/DeepSeek-V3-0324',
  },
  {
    models: /kimi-?k2\.5/i,
    dialect: 'kimi',
    opensThoughts: true,
    from: 'description of the chat template of moonshotai/Kimi-K2.5',
  },
  { models: /kimi/i, dialect: 'kimi', from: 'description of the chat template of moonshotai/Kimi-K2-Instruct' },
  {
    models: /minimax-?m[2-9]/i,
    dialect: 'minimax',
    opensThoughts: true,
    from: llamaCpp('unsloth-MiniMax-M2'),
  },
  {
    models: /granite-?4/i,
    dialect: 'hermes',
    from: 'description of the chat template of ibm-granite/granite-4.0-h-small',
  },
  {
    models: /granite/i,
    dialect: 'granite',
    from: 'description of the chat template of ibm-granite/granite-3.3-8b-instruct',
  },
  { models: /jamba/i, dialect: 'jamba', from: 'description of the chat template of ai21labs/AI21-Jamba-1.5-Mini' },
  { models: /\bhy-?3|hunyuan-?3/i, dialect: 'hunyuan3', from: vllm('vllm/tool_parsers/hy_v3_tool_parser.py') },
  { models: /hunyuan/i, dialect: 'hunyuan', from: vllm('examples/tool_chat_template_hunyuan_a13b.jinja') },
  { models: /phi-?4-?mini/i, dialect: 'phi', from: llamaCpp('llama-cpp-microsoft-Phi-4-mini-instruct') },
  { models: /gigachat/i, dialect: 'gigachat', from: llamaCpp('GigaChat3-10B-A1.8B') },
  {
    models: /longcat/i,
    dialect: 'longcat',
    opensThoughts: true,
    from: 'description of the chat template of meituan-longcat/LongCat-Flash-Thinking',
  },
  { models: /internlm-?[23]/i, dialect: 'internlm', from: vllm('examples/tool_chat_template_internlm2_tool.jinja') },
  { models: /seed-?oss/i, dialect: 'seed', from: llamaCpp('ByteDance-Seed-OSS') },
  {
    models: /command-?r-?7b|command-?a/i,
    dialect: 'cohere',
    from: llamaCpp('CohereForAI-c4ai-command-r7b-12-2024-tool_use'),
  },
  {
    models: /command-?r/i,
    dialect: 'commandR',
    from: 'description of the chat template of CohereLabs/c4ai-command-r-plus-08-2024',
  },
  {
    models: /functionary-(?:small|medium)-v3\.1/i,
    dialect: 'functionary',
    from: 'description of the chat template of meetkai/functionary-small-v3.1',
  },
  {
    models: /functionary/i,
    dialect: 'functionary32',
    from: 'description of the chat template of meetkai/functionary-small-v3.2',
  },
  { models: /step-?3(?![.p]5)/i, dialect: 'step', from: 'description of the chat template of stepfun-ai/step3' },
  { models: /apertus/i, dialect: 'apertus', from: vllm('examples/tool_chat_template_apertus.jinja') },
  { models: /llama.*nemotron/i, dialect: 'nemotron', from: llamaCpp('nvidia-Llama-3_3-Nemotron-Super-49B-v1_5') },
  {
    models: /nemotron-nano-(?:9|12)b/i,
    dialect: 'nemotron',
    opensThoughts: true,
    from: llamaCpp('NVIDIA-Nemotron-Nano-v2'),
  },
  { models: /qwen-?3-?coder/i, dialect: 'qwenCoder', from: vllm('examples/tool_chat_template_qwen3coder.jinja') },
  {
    models: /qwen-?3\.[5-9]|nemotron-?3\b|nemotron-nano|step-?3[.p]5/i,
    dialect: 'qwenCoder',
    opensThoughts: true,
    from: 'description of the chat template of Qwen/Qwen3.5-9B',
  },
  {
    models: /qwq|qwen-?3.*thinking/i,
    dialect: 'hermes',
    opensThoughts: true,
    from: 'description of the chat template of Qwen/QwQ-32B',
  },
  {
    models: /olmo-?3.*think/i,
    dialect: 'olmo',
    opensThoughts: true,
    from: vllm('examples/tool_chat_template_olmo3.jinja'),
  },
  { models: /olmo/i, dialect: 'olmo', from: vllm('examples/tool_chat_template_olmo3.jinja') },
  { models: /lfm2/i, dialect: 'lfm', from: llamaCpp('LFM2.5-8B-A1B') },
  {
    models: /llama-?(?:4|3\.2)/i,
    dialect: 'pythonic',
    from: vllm('examples/tool_chat_template_llama4_pythonic.jinja'),
  },
  { models: /hermes/i, dialect: 'hermes', from: 'description of the chat template of Hermes 3' }, // before the llama that it was made of
  { models: /llama/i, dialect: 'llama', from: 'description of the chat template of Llama 3.1' },
  {
    models: /mistral|mixtral|ministral|magistral|devstral|codestral/i,
    dialect: 'mistral',
    from: 'description of the chat templates of Mistral v3 to v13',
  },
];

/** The family of a model, by its id. */
export function familyOf(modelId: string): Family | undefined {
  return families.find(({ models }) => models.test(modelId));
}

/** The dialect that a model is asked to write, by its id: `hermes` where nothing is known of it. */
export function dialectFor(modelId: string): DialectName {
  return familyOf(modelId)?.dialect ?? 'hermes';
}
