import type { DialectName } from './dialects.ts';

/** Models that were trained on one dialect. */
export interface Family {
  /** Matches a part of their ids. */
  readonly models: RegExp;
  readonly dialect: DialectName;
  /** Their chat template opens the thoughts of a turn, so that its text begins inside one. */
  readonly opensThoughts?: true;
  /** Source of the row: a file of a public repository, or descriptions of a template that could not be read. */
  readonly from: string;
}

const llamaCpp = (name: string): string => `ggml-org/llama.cpp: models/templates/${name}.jinja`;
const vllm = (name: string): string => `vllm-project/vllm: ${name}`;
const vllmParser = (name: string): string => vllm(`vllm/tool_parsers/${name}_tool_parser.py`);
const vllmTemplate = (name: string): string => vllm(`examples/tool_chat_template_${name}.jinja`);
/** Beginning of a source that is not a file, because the chat template could not be read. */
export const described = 'descriptions of the chat template of ';
const descriptionsOf = (name: string): string => described + name;

/** The first that matches counts. */
export const families: readonly Family[] = [
  {
    models: /functiongemma/i,
    dialect: 'functionGemma',
    from: vllmParser('functiongemma'),
  },
  { models: /gemma-?4/i, dialect: 'gemma', from: llamaCpp('gemma4') },
  { models: /gpt-?oss/i, dialect: 'harmony', from: 'openai/harmony: docs/format.md' },
  { models: /glm-?4\.[56]/i, dialect: 'glm', from: llamaCpp('GLM-4.6') },
  {
    models: /glm-?(?:4\.7|5)/i,
    dialect: 'glm',
    opensThoughts: true,
    from: vllmParser('glm47_moe'),
  },
  {
    models: /deepseek-?v4(?!\.\d)/i, // 4.1 has other tags
    dialect: 'dsmlV4',
    opensThoughts: true,
    from: vllmParser('deepseekv4'),
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
    from: vllmTemplate('deepseekr1'),
  },
  {
    models: /deepseek-?v3|cogito-?v?2/i,
    dialect: 'deepseekV3',
    from: vllmTemplate('deepseekv3'),
  },
  {
    models: /kimi-?k2\.5/i,
    dialect: 'kimi',
    opensThoughts: true,
    from: descriptionsOf('moonshotai/Kimi-K2.5'),
  },
  { models: /kimi(?!-?k[3-9])/i, dialect: 'kimi', from: llamaCpp('Kimi-K2-Thinking') }, // K3 has other tags
  {
    models: /minimax-?m2/i, // M3 has other tags
    dialect: 'minimax',
    opensThoughts: true,
    from: llamaCpp('unsloth-MiniMax-M2'),
  },
  {
    models: /granite-?4/i,
    dialect: 'hermes',
    from: vllmParser('granite4'),
  },
  {
    models: /granite/i,
    dialect: 'granite',
    from: vllmParser('granite'),
  },
  { models: /jamba/i, dialect: 'jamba', from: vllmParser('jamba') },
  { models: /\bhy-?3|hunyuan-?3/i, dialect: 'hunyuan3', from: vllmParser('hy_v3') },
  { models: /hunyuan/i, dialect: 'hunyuan', from: vllmTemplate('hunyuan_a13b') },
  { models: /phi-?4-?mini/i, dialect: 'phi', from: llamaCpp('llama-cpp-microsoft-Phi-4-mini-instruct') },
  { models: /gigachat(?!-?3\.5)/i, dialect: 'gigachat', from: llamaCpp('GigaChat3-10B-A1.8B') }, // 3.5 has other tags
  {
    models: /longcat/i,
    dialect: 'longcat',
    opensThoughts: true,
    from: vllmParser('longcat'),
  },
  { models: /internlm-?[23]/i, dialect: 'internlm', from: vllmTemplate('internlm2_tool') },
  { models: /seed-?oss/i, dialect: 'seed', from: llamaCpp('ByteDance-Seed-OSS') },
  {
    models: /command-?r-?7b|command-?a/i,
    dialect: 'cohere',
    from: llamaCpp('CohereForAI-c4ai-command-r7b-12-2024-tool_use'),
  },
  {
    models: /command-?r/i,
    dialect: 'commandR',
    from: 'ggerganov/llama.cpp: models/templates/CohereForAI-c4ai-command-r-plus-tool_use.jinja',
  },
  {
    models: /functionary-(?:small|medium)-v3\.1/i,
    dialect: 'functionary',
    from: 'ggerganov/llama.cpp: models/templates/meetkai-functionary-medium-v3.1.jinja',
  },
  {
    models: /functionary/i,
    dialect: 'functionary32',
    from: 'MeetKai/functionary: functionary/prompt_template/jinja_templates/v3.llama3.txt',
  },
  { models: /step-?3(?![.p][5-9])/i, dialect: 'step', from: vllmParser('step3') },
  { models: /apertus/i, dialect: 'apertus', from: vllmTemplate('apertus') },
  { models: /llama.*nemotron/i, dialect: 'nemotron', from: llamaCpp('nvidia-Llama-3_3-Nemotron-Super-49B-v1_5') },
  {
    models: /nemotron-nano-(?:9|12)b/i,
    dialect: 'nemotron',
    opensThoughts: true,
    from: llamaCpp('NVIDIA-Nemotron-Nano-v2'),
  },
  { models: /qwen-?3-?coder/i, dialect: 'qwenCoder', from: vllmTemplate('qwen3coder') },
  {
    models: /qwen-?3\.[5-9]/i,
    dialect: 'qwenCoder',
    opensThoughts: true,
    from: 'HermestoAizales/llama.cpp: models/templates/Qwen3.5-4B.jinja',
  },
  { models: /step-?3[.p][5-9]/i, dialect: 'qwenCoder', opensThoughts: true, from: llamaCpp('StepFun3.7-Flash') },
  {
    models: /nemotron-?3\b|nemotron-nano/i,
    dialect: 'qwenCoder',
    opensThoughts: true,
    from: descriptionsOf('nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B'),
  },
  {
    models: /qwq/i,
    dialect: 'hermes',
    opensThoughts: true,
    from: 'ye-NX/llama.cpp: models/templates/Qwen-QwQ-32B.jinja',
  },
  {
    models: /qwen-?3.*thinking/i,
    dialect: 'hermes',
    opensThoughts: true,
    from: descriptionsOf('Qwen/Qwen3-4B-Thinking-2507'),
  },
  {
    models: /olmo-?3.*think/i,
    dialect: 'olmo',
    opensThoughts: true,
    from: vllmTemplate('olmo3'),
  },
  { models: /olmo/i, dialect: 'olmo', from: vllmTemplate('olmo3') },
  { models: /lfm2/i, dialect: 'lfm', from: llamaCpp('LFM2.5-8B-A1B') },
  {
    models: /llama-?(?:4|3\.2)/i,
    dialect: 'pythonic',
    from: vllmTemplate('llama4_pythonic'),
  },
  { models: /hermes/i, dialect: 'hermes', from: vllmTemplate('hermes') }, // before the llama that it was made of
  { models: /llama/i, dialect: 'llama', from: vllmTemplate('llama3.1_json') },
  {
    models: /mistral|mixtral|ministral|magistral|devstral|codestral/i,
    dialect: 'mistral',
    from: vllmParser('mistral'),
  },
];

/** The family of a model, by its id. */
export function familyOf(modelId: string): Family | undefined {
  return families.find(({ models }) => models.test(modelId));
}

/** The dialect that a model is asked to write, by its id: `hermes` if it is unknown. */
export function dialectFor(modelId: string): DialectName {
  return familyOf(modelId)?.dialect ?? 'hermes';
}
