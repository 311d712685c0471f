// The wire formats tested by the model suite, as data.

/** Location of an API's tests in a file: in a block with this title, or outside of blocks. */
export interface Place {
  readonly file: string;
  readonly block?: string;
}

export interface Api {
  /** As in `model.info.api`, with the vendor if several speak it. */
  readonly id: string;
  /** Heading of its column. */
  readonly name: string;
  readonly factory: string;
  /** Folder of its package. */
  readonly package: string;
  /** Purpose in a few words. */
  readonly vendor: string;
  /** Its suite, and other files with tests for each API. */
  readonly places: readonly Place[];
  /** Lossy mappings, one sentence each. */
  readonly lowered: readonly string[];
}

const everywhere = (block: string): Place => ({ file: 'apps/node-demo/src/continuity.test.ts', block });

const openai = 'packages/provider-openai';

export const apis: readonly Api[] = [
  {
    id: 'anthropic-messages',
    name: 'Anthropic',
    factory: 'anthropic',
    package: 'packages/provider-anthropic',
    vendor: "Claude, over Anthropic's Messages API; the default for Anthropic",
    places: [{ file: 'packages/provider-anthropic/src/model-suite.test.ts' }, everywhere('anthropic')],
    lowered: [
      'Settings: `stop`, `responseFormat` with a schema, `serviceTier` (`auto`, `standard`).',
      'A union of objects is sent as one object with all their properties; the description says which belong together.',
      'Images other than JPEG, PNG, GIF and WebP, documents other than PDF and text, and audio are replaced by a description.',
      'Call ids are rewritten in the characters that the API accepts.',
      'Arguments that are not JSON are sent back as `{ INVALID_JSON }`.',
    ],
  },
  {
    id: 'openai-responses',
    name: 'Responses',
    factory: 'openai',
    package: openai,
    vendor: "GPT, over OpenAI's Responses API; the default for OpenAI",
    places: [{ file: `${openai}/src/model-suite.test.ts`, block: 'openai' }, everywhere('openai')],
    lowered: [
      "Settings: `responseFormat`, `serviceTier`; `temperature` and `topP` for models that do not reason, from gpt-5.1 on with `reasoning: 'none'`.",
      'A union of objects is sent as one object with all their properties; the description says which belong together; schemas are not made strict.',
      "A tool's examples are appended to its description.",
      'Arguments that are not JSON are sent back as `{}`.',
      'Files that the API does not read are replaced by a description.',
    ],
  },
  {
    id: 'openai-chat',
    name: 'Chat',
    factory: 'openaiChat',
    package: openai,
    vendor: "OpenAI's older models, over Chat Completions",
    places: [{ file: `${openai}/src/model-suite.test.ts`, block: 'openaiChat' }, everywhere('openaiChat')],
    lowered: [
      "Settings: all; for reasoning models no `stop`, and `temperature` and `topP` from gpt-5.1 on with `reasoning: 'none'`.",
      "Results are text: a tool's images, PDFs and audio follow in a user message that names the call.",
      'Reasoning is not sent back: the API has no field for it.',
      'Call ids are truncated to 40 characters; arguments that are not JSON are sent back as `{}`.',
      'Documents other than PDF and text are replaced by a description.',
    ],
  },
  {
    id: 'openai-chat (compatible)',
    name: 'compatible',
    factory: 'openaiCompatible',
    package: openai,
    vendor: 'vLLM, llama.cpp, LM Studio, DeepSeek, Mistral, Groq and other servers with Chat Completions',
    places: [
      {
        file: `${openai}/src/compatible/model-suite.test.ts`,
        block: 'openaiCompatible for a server with quirks',
      },
      everywhere('openaiCompatible'),
    ],
    lowered: [
      'Settings: all but `serviceTier`.',
      'As with `openaiChat`. `quirks`, given or derived from the address, omit fields that the server rejects.',
    ],
  },
  {
    id: 'openai-chat (OpenRouter)',
    name: 'OpenRouter',
    factory: 'openrouter',
    package: openai,
    vendor: 'models of many vendors, over OpenRouter',
    places: [{ file: `${openai}/src/openrouter/model-suite.test.ts`, block: 'openrouter' }, everywhere('openrouter')],
    lowered: [
      'Settings: all but `serviceTier`.',
      'As with `openaiChat`, but reasoning is sent back unchanged to the model that wrote it.',
    ],
  },
  {
    id: 'gemini',
    name: 'Gemini',
    factory: 'google',
    package: 'packages/provider-google',
    vendor: "Gemini, over Google's generateContent; the default for Google",
    places: [{ file: 'packages/provider-google/src/suite.test.ts', block: 'google' }, everywhere('google')],
    lowered: [
      'Settings: all; `serviceTier` is `standard`, `flex` or `priority`.',
      'A union of objects is sent as one object with all their properties, and `const` as `enum`; the description says which properties belong together, and lists the keywords of a schema that the API ignores.',
      'Calls of another model are sent without ids, marked as unsigned.',
      "Before Gemini 3, a tool's images and files follow its result.",
      'At most 512 functions are declared.',
    ],
  },
  {
    id: 'gemini-interactions',
    name: 'Interactions',
    factory: 'googleInteractions',
    package: 'packages/provider-google',
    vendor: 'models that Google offers over its Interactions API only',
    places: [
      { file: 'packages/provider-google/src/suite.test.ts', block: 'googleInteractions' },
      everywhere('googleInteractions'),
    ],
    lowered: [
      'Settings: all; `serviceTier` is `standard`, `flex` or `priority`.',
      'As with `google`.',
      'Each request contains the whole conversation and Google stores nothing, unless `store` is set.',
    ],
  },
  {
    id: 'ollama-chat',
    name: 'Ollama',
    factory: 'ollama',
    package: 'packages/provider-ollama',
    vendor: "models on your own machine; the demo's choice if it finds no API key",
    places: [{ file: 'packages/provider-ollama/src/suite.test.ts', block: 'ollama' }, everywhere('ollama')],
    lowered: [
      'Settings: all but `serviceTier`.',
      'The tool choice and one call at a time are requested in a sentence: the model may not comply.',
      'Schemas keep the keywords that the server supports; the description lists the others.',
      "Results are text: a tool's images follow in a user message that names the call.",
      'A model without vision gets a description of images; a model without reasoning is not asked to reason.',
    ],
  },
  {
    id: 'text',
    name: 'text',
    factory: 'withTextTools',
    package: 'packages/text-dialects',
    vendor: 'any of the above without native calls: tools are described in the prompt, calls and results are text',
    places: [
      { file: 'apps/node-demo/src/continuity/text-suite.test.ts', block: 'withTextTools' },
      everywhere('withTextTools'),
    ],
    lowered: [
      'Settings: those of the inner model, except `responseFormat`.',
      'Reasoning and provider data are not sent.',
      'Call ids are not sent: results are in the order of the calls.',
      'Built-in tools of vendors are left out.',
      'If a turn is truncated after its calls, its usage may be zero.',
    ],
  },
];
