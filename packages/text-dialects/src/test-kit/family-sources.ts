const llamaCpp = (name: string): string => `ggml-org/llama.cpp: models/templates/${name}.jinja`;
const vllm = (name: string): string => `vllm-project/vllm: ${name}`;
const vllmParser = (name: string): string => vllm(`vllm/tool_parsers/${name}_tool_parser.py`);
const vllmTemplate = (name: string): string => vllm(`examples/tool_chat_template_${name}.jinja`);
/** Beginning of a source that is not a file, because the chat template could not be read. */
export const described = 'descriptions of the chat template of ';
const descriptionsOf = (name: string): string => described + name;

/**
 * Source of each row of `families`, by its regular expression: a file of a public repository, or descriptions of a
 * template that could not be read. Only `docs/dialects.md` shows them, so that no app has to load them.
 */
export const familySources: Readonly<Record<string, string>> = {
  functiongemma: vllmParser('functiongemma'),
  'gemma-?4': llamaCpp('gemma4'),
  'gpt-?oss': 'openai/harmony: docs/format.md',
  'glm-?4\\.[56]': llamaCpp('GLM-4.6'),
  'glm-?(?:4\\.7|5)': vllmParser('glm47_moe'),
  'deepseek-?v4(?!\\.\\d)': vllmParser('deepseekv4'),
  'deepseek-?v3\\.2(?!-exp)': llamaCpp('DeepSeek-V3.2'),
  'deepseek-?v3\\.[12]': llamaCpp('deepseek-ai-DeepSeek-V3.1'),
  'deepseek-?r1': vllmTemplate('deepseekr1'),
  'deepseek-?v3|cogito-?v?2': vllmTemplate('deepseekv3'),
  'kimi-?k2\\.5': descriptionsOf('moonshotai/Kimi-K2.5'),
  'kimi(?!-?k[3-9])': llamaCpp('Kimi-K2-Thinking'),
  'minimax-?m2': llamaCpp('unsloth-MiniMax-M2'),
  'granite-?4': vllmParser('granite4'),
  granite: vllmParser('granite'),
  jamba: vllmParser('jamba'),
  '\\bhy-?3|hunyuan-?3': vllmParser('hy_v3'),
  hunyuan: vllmTemplate('hunyuan_a13b'),
  'phi-?4-?mini': llamaCpp('llama-cpp-microsoft-Phi-4-mini-instruct'),
  'gigachat(?!-?3\\.5)': llamaCpp('GigaChat3-10B-A1.8B'),
  longcat: vllmParser('longcat'),
  'internlm-?[23]': vllmTemplate('internlm2_tool'),
  'seed-?oss': llamaCpp('ByteDance-Seed-OSS'),
  'command-?r-?7b|command-?a': llamaCpp('CohereForAI-c4ai-command-r7b-12-2024-tool_use'),
  'command-?r': 'ggerganov/llama.cpp: models/templates/CohereForAI-c4ai-command-r-plus-tool_use.jinja',
  'functionary-(?:small|medium)-v3\\.1': 'ggerganov/llama.cpp: models/templates/meetkai-functionary-medium-v3.1.jinja',
  functionary: 'MeetKai/functionary: functionary/prompt_template/jinja_templates/v3.llama3.txt',
  'step-?3(?![.p][5-9])': vllmParser('step3'),
  apertus: vllmTemplate('apertus'),
  'llama.*nemotron': llamaCpp('nvidia-Llama-3_3-Nemotron-Super-49B-v1_5'),
  'nemotron-nano-(?:9|12)b': llamaCpp('NVIDIA-Nemotron-Nano-v2'),
  'qwen-?3-?coder': vllmTemplate('qwen3coder'),
  'qwen-?3\\.[5-9]': 'HermestoAizales/llama.cpp: models/templates/Qwen3.5-4B.jinja',
  'step-?3[.p][5-9]': llamaCpp('StepFun3.7-Flash'),
  'nemotron-?3\\b|nemotron-nano': descriptionsOf('nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B'),
  qwq: 'ye-NX/llama.cpp: models/templates/Qwen-QwQ-32B.jinja',
  'qwen-?3.*thinking': descriptionsOf('Qwen/Qwen3-4B-Thinking-2507'),
  'olmo-?3.*think': vllmTemplate('olmo3'),
  olmo: vllmTemplate('olmo3'),
  lfm2: llamaCpp('LFM2.5-8B-A1B'),
  'llama-?(?:4|3\\.2)': vllmTemplate('llama4_pythonic'),
  hermes: vllmTemplate('hermes'),
  llama: vllmTemplate('llama3.1_json'),
  'mistral|mixtral|ministral|magistral|devstral|codestral': vllmParser('mistral'),
};
