import { describe, expect, it } from 'vitest';
import type { Reply } from '../loopback.ts';
import {
  refuseAnthropicMessages,
  refuseGemini,
  refuseGeminiInteractions,
  refuseOllamaChat,
  refuseOpenAIChat,
  refuseOpenAIResponses,
  refuseOpenRouter,
} from './index.ts';

// The good requests are samples of the vendors' documentation, or made after it; each bad one is a good one with one fault.
type Body = Record<string, unknown>;
type Bad = readonly [fault: string, body: Body, message: string | RegExp];

interface Wire {
  readonly name: string;
  refuse(body: unknown): Reply | undefined;
  messageIn(body: never): unknown;
  readonly good: Readonly<Record<string, Body>>;
  readonly bad: readonly Bad[];
}

const schema = { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] };
const strictSchema = { ...schema, additionalProperties: false };
const many = (count: number, make: (name: string) => object): object[] =>
  Array.from({ length: count }, (_, index) => make(`tool_${index}`));
const pixel = 'iVBORw0KGgo=';

const anthropicTool = { name: 'get_weather', description: 'The weather of a place.', input_schema: schema };
const anthropicUse = { type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: { location: 'Paris' } };
const anthropicResult = { type: 'tool_result', tool_use_id: 'toolu_01', content: '15 degrees' };
const claude: Body = {
  model: 'claude-sonnet-5-5',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  tools: [anthropicTool],
};
const claudeTurn = (uses: readonly object[], results: readonly object[], more: Body = {}): Body => ({
  ...claude,
  messages: [
    { role: 'user', content: 'What is the weather?' },
    { role: 'assistant', content: uses },
    { role: 'user', content: results },
  ],
  ...more,
});
const budget = { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 } };
const claudeTool = (changes: object): Body => ({ ...claude, tools: [{ ...anthropicTool, ...changes }] });

const claudeSearch = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'tool_search_tool_bm25',
  input: { query: 'a' },
};
const claudeFound = (tool_name: string): object => ({
  type: 'tool_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: { type: 'tool_search_tool_search_result', tool_references: [{ type: 'tool_reference', tool_name }] },
});

const anthropic: Wire = {
  name: 'refuseAnthropicMessages',
  refuse: refuseAnthropicMessages,
  messageIn: ({ error }: { error: Body }) => error['message'],
  good: {
    'a question': claude,
    'thinking, two calls and their results': claudeTurn(
      [{ type: 'thinking', thinking: '', signature: 'c2ln' }, anthropicUse, { ...anthropicUse, id: 'toolu_02' }],
      [
        anthropicResult,
        { ...anthropicResult, tool_use_id: 'toolu_02', is_error: true },
        { type: 'text', text: 'And?' },
      ],
    ),
    'a result with an image': claudeTurn(
      [anthropicUse],
      [
        {
          ...anthropicResult,
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }],
        },
      ],
    ),
    'a result without content': claudeTurn([anthropicUse], [{ type: 'tool_result', tool_use_id: 'toolu_01' }]),
    'a search for tools and what it found': claudeTurn(
      [claudeSearch, claudeFound('get_weather')],
      [{ type: 'text', text: 'And?' }],
      {
        tools: [
          { ...anthropicTool, defer_loading: true, eager_input_streaming: true },
          { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
        ],
      },
    ),
    'a server tool': { ...claude, tools: [anthropicTool, { type: 'web_search_20260318', name: 'web_search' }] },
    'a strict tool that is forced': {
      ...claudeTool({ strict: true, input_schema: strictSchema }),
      tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true },
    },
    'a budget behind a turn of calls that began with a thought': claudeTurn(
      [{ type: 'redacted_thinking', data: 'c2ln' }, anthropicUse],
      [anthropicResult],
      budget,
    ),
    'a budget behind an answer without a thought': claudeTurn(
      [{ type: 'text', text: 'Hm?' }],
      [{ type: 'text', text: 'And?' }],
      budget,
    ),
    'adaptive thinking in the midst of a turn that began without a thought': claudeTurn(
      [anthropicUse],
      [anthropicResult],
      { thinking: { type: 'adaptive' } },
    ),
    'adaptive thinking with a choice': { ...claude, thinking: { type: 'adaptive' }, tool_choice: { type: 'any' } },
  },
  bad: [
    ['a removed parameter', { ...claude, temperature: 0 }, /^temperature/],
    ['an unknown member', { ...claude, maxTokens: 1 }, 'maxTokens: Extra inputs are not permitted'],
    ['no model', { ...claude, model: undefined }, 'model: Field required'],
    ['no limit', { ...claude, max_tokens: undefined }, 'max_tokens: Field required'],
    ['a limit of nothing', { ...claude, max_tokens: 0 }, /greater than or equal to 1/],
    ['no messages', { ...claude, messages: [] }, /at least one message/],
    ['the model first', { ...claude, messages: [{ role: 'assistant', content: 'Hi' }] }, /first message must use/],
    ['an unknown role', { ...claude, messages: [{ role: 'tool', content: 'Hi' }] }, /Unexpected role/],
    ['an empty message', { ...claude, messages: [{ role: 'user', content: [] }] }, /non-empty content/],
    [
      'an empty text',
      { ...claude, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      /must be non-empty/,
    ],
    ['a blank text', { ...claude, messages: [{ role: 'user', content: ' \n' }] }, /non-whitespace/],
    [
      'an end in white space',
      {
        ...claude,
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: 'Well, ' },
        ],
      },
      /trailing whitespace/,
    ],
    [
      'a document of the model',
      claudeTurn([{ type: 'document', source: { type: 'text', data: 'a' } }], [{ type: 'text', text: 'So?' }]),
      /Input tag 'document'/,
    ],
    [
      'a citation of the user',
      { ...claude, messages: [{ role: 'user', content: [{ type: 'text', text: 'a', citations: [{}] }] }] },
      /citations/,
    ],
    [
      'thinking without a signature',
      claudeTurn([{ type: 'thinking', thinking: 'Hm.', signature: '' }, anthropicUse], [anthropicResult]),
      /signature/,
    ],
    [
      'an image of a strange type',
      {
        ...claude,
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: pixel } }],
          },
        ],
      },
      /media_type/,
    ],
    [
      'an image that is no base64',
      {
        ...claude,
        messages: [
          {
            role: 'user',
            content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'no base64!' } }],
          },
        ],
      },
      /invalid base64/,
    ],
    [
      'an id out of the alphabet',
      claudeTurn([{ ...anthropicUse, id: 'a|b' }], [{ ...anthropicResult, tool_use_id: 'a|b' }]),
      /id: String should match/,
    ],
    [
      'a name out of the alphabet',
      claudeTurn([{ ...anthropicUse, name: 'a.b' }], [anthropicResult]),
      /name: String should match/,
    ],
    ['an input that is a text', claudeTurn([{ ...anthropicUse, input: '{}' }], [anthropicResult]), /valid dictionary/],
    ['two calls of one id', claudeTurn([anthropicUse, anthropicUse], [anthropicResult]), /must be unique/],
    ['only deferred tools', claudeTool({ defer_loading: true }), /At least one tool must have defer_loading=false/],
    ['an eagerness that is a word', claudeTool({ eager_input_streaming: 'yes' }), /valid boolean/],
    [
      'a strict tool with too many optional properties',
      claudeTool({
        strict: true,
        input_schema: {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`p${index}`, { type: 'string' }])),
          additionalProperties: false,
        },
      }),
      /too complex/,
    ],
    [
      'a strict tool whose schema is a part of itself',
      claudeTool({
        strict: true,
        input_schema: {
          ...strictSchema,
          properties: { location: { $ref: '#/$defs/a' } },
          $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } },
        },
      }),
      /Circular/,
    ],
    [
      'a strict tool with a value of any type',
      claudeTool({ strict: true, input_schema: { ...strictSchema, properties: { location: {} } } }),
      /must have a 'type' key/,
    ],
    [
      'a result of a search that nobody made',
      claudeTurn([claudeFound('get_weather')], [{ type: 'text', text: 'And?' }]),
      /unexpected `tool_use_id` found in `tool_search_tool_result`/,
    ],
    [
      'a call of the server that was never answered',
      claudeTurn([claudeSearch], [{ type: 'text', text: 'And?' }]),
      /tool use with id `srvtoolu_1` was found without/,
    ],
    [
      'a search that found what is not there',
      claudeTurn([claudeSearch, claudeFound('get_news')], [{ type: 'text', text: 'And?' }]),
      /'get_news' not found in available tools/,
    ],
    [
      'a call without a result',
      claudeTurn([anthropicUse], [{ type: 'text', text: 'And?' }]),
      /without `tool_result` blocks immediately after: toolu_01/,
    ],
    [
      'a call at the end',
      {
        ...claude,
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: [anthropicUse] },
        ],
      },
      /without `tool_result` blocks/,
    ],
    ['a result of no call', claudeTurn([{ type: 'text', text: 'Hm.' }], [anthropicResult]), /unexpected `tool_use_id`/],
    ['two results of one call', claudeTurn([anthropicUse], [anthropicResult, anthropicResult]), /single result/],
    [
      'text before a result',
      claudeTurn([anthropicUse], [{ type: 'text', text: 'So:' }, anthropicResult]),
      /must come first/,
    ],
    [
      'an empty failure',
      claudeTurn([anthropicUse], [{ ...anthropicResult, content: '', is_error: true }]),
      'messages.2.content.0.tool_result: content cannot be empty if `is_error` is true',
    ],
    [
      'an empty text in a result',
      claudeTurn([anthropicUse], [{ ...anthropicResult, content: [{ type: 'text', text: '' }] }]),
      /must be non-empty/,
    ],
    ['a tool name with a dot', claudeTool({ name: 'get.weather' }), /tools.0.custom.name/],
    ['a tool name that is too long', claudeTool({ name: 'x'.repeat(65) }), /tools.0.custom.name/],
    ['a schema without a type', claudeTool({ input_schema: {} }), /got 'type: "None"'/],
    [
      'a choice of schemas',
      claudeTool({ input_schema: { type: 'object', anyOf: [schema] } }),
      /'anyOf' is not allowed at the top level/,
    ],
    [
      'a schema of elsewhere',
      claudeTool({ input_schema: { type: 'object', properties: { a: { $ref: 'https://a.example/b' } } } }),
      /external \$ref/,
    ],
    ['an unknown member of a tool', claudeTool({ parameters: schema }), /parameters: Extra inputs/],
    ['an example that is no object', claudeTool({ input_examples: ['Paris'] }), /input_examples/],
    ['a strict tool that is open', claudeTool({ strict: true }), /'additionalProperties' is required/],
    [
      'a strict tool with a bound',
      claudeTool({
        strict: true,
        input_schema: { ...strictSchema, properties: { location: { type: 'string', maxLength: 3 } } },
      }),
      /'maxLength' is not permitted/,
    ],
    [
      '21 strict tools',
      { ...claude, tools: many(21, (name) => ({ ...anthropicTool, name, strict: true, input_schema: strictSchema })) },
      /at most 20 strict/,
    ],
    ['two tools of one name', { ...claude, tools: [anthropicTool, anthropicTool] }, /must be unique/],
    ['a choice without tools', { ...claude, tools: [], tool_choice: { type: 'auto' } }, /while providing tools/],
    [
      'a choice of no tool',
      { ...claude, tool_choice: { type: 'tool', name: 'other' } },
      "Tool 'other' not found in provided tools",
    ],
    ['an unknown choice', { ...claude, tool_choice: { type: 'required' } }, /Input tag 'required'/],
    [
      'none, one at a time',
      { ...claude, tool_choice: { type: 'none', disable_parallel_tool_use: true } },
      /Extra inputs/,
    ],
    [
      'a budget and a forced tool',
      { ...claude, max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 }, tool_choice: { type: 'any' } },
      /forces tool use/,
    ],
    [
      'a budget in the midst of a turn that began without a thought',
      claudeTurn([anthropicUse], [anthropicResult], budget),
      /Expected `thinking` or `redacted_thinking`, but found `tool_use`/,
    ],
    ['a small budget', { ...claude, thinking: { type: 'enabled', budget_tokens: 100 } }, /equal to 1024/],
    [
      'a budget beyond the limit',
      { ...claude, thinking: { type: 'enabled', budget_tokens: 2048 } },
      /must be greater than/,
    ],
    [
      'five breakpoints',
      { ...claude, cache_control: {}, system: many(4, (text) => ({ type: 'text', text, cache_control: {} })) },
      /Found 5/,
    ],
    ['an empty system text', { ...claude, system: [{ type: 'text', text: '' }] }, /^system/],
    ['half of a character', { ...claude, messages: [{ role: 'user', content: 'a\ud83d' }] }, /no low surrogate/],
  ],
};

const chatTool = (changes: object = {}): object => ({
  type: 'function',
  function: { name: 'get_weather', description: 'The weather of a place.', parameters: schema, ...changes },
});
const chatCall = (id: string, changes: object = {}): object => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: '{"location":"Paris"}', ...changes },
});
const chatResult = (id: string, content: unknown = '15 degrees'): object => ({
  role: 'tool',
  tool_call_id: id,
  content,
});
const gpt: Body = {
  model: 'gpt-4.1',
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  tools: [chatTool()],
};
const gptTurn = (calls: readonly object[], after: readonly object[], more: Body = {}): Body => ({
  ...gpt,
  messages: [{ role: 'user', content: 'And?' }, { role: 'assistant', content: null, tool_calls: calls }, ...after],
  ...more,
});
const gptUser = (content: unknown): Body => ({ ...gpt, messages: [{ role: 'user', content }] });

const chatGood: Wire['good'] = {
  'a question': { ...gpt, stream: true, stream_options: { include_usage: true } },
  'two calls and their results, in any order': gptTurn(
    [chatCall('call_1'), chatCall('call_2')],
    [chatResult('call_2'), chatResult('call_1', [{ type: 'text', text: '' }]), { role: 'user', content: 'So?' }],
  ),
  'media of the user': gptUser([
    { type: 'text', text: 'Look.' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,cGRm' } },
  ]),
  'a strict tool that is forced': {
    ...gpt,
    tools: [chatTool({ strict: true, parameters: strictSchema })],
    tool_choice: { type: 'function', function: { name: 'get_weather' } },
    parallel_tool_calls: false,
  },
  'a custom tool': { ...gpt, tools: [{ type: 'custom', custom: { name: 'sql' } }] },
};

/** What every server with this API refuses. */
const chatBad: readonly Bad[] = [
  ['an unknown member', { ...gpt, max_output_tokens: 1 }, "Unknown parameter: 'max_output_tokens'."],
  ['no model', { ...gpt, model: '' }, /Missing required parameter: 'model'/],
  ['no messages', { ...gpt, messages: [] }, /empty array/],
  ['an unknown role', { ...gpt, messages: [{ role: 'model', content: 'Hi' }] }, /Invalid value: 'model'/],
  ['an empty list of parts', gptUser([]), /empty array/],
  ['content that is null', gptUser(null), /got null instead/],
  ['a part of another API', gptUser([{ type: 'input_text', text: 'a' }]), /Invalid value: 'input_text'/],
  ['an image without an address', gptUser([{ type: 'image_url', image_url: {} }]), /image_url.url/],
  ['a file without a name', gptUser([{ type: 'file', file: { file_data: 'data:' } }]), /file_id/],
  ['no calls in a list of calls', gptTurn([], []), /empty array/],
  [
    'a call of the user',
    { ...gpt, messages: [{ role: 'user', content: 'Hi', tool_calls: [chatCall('a')] }] },
    /only messages of the assistant/,
  ],
  [
    'a call without a type',
    gptTurn([{ ...chatCall('a'), type: undefined }], [chatResult('a')]),
    /'messages\[1\].tool_calls\[0\].type'/,
  ],
  ['a call name with a dot', gptTurn([chatCall('a', { name: 'a.b' })], [chatResult('a')]), /does not match pattern/],
  ['arguments that are an object', gptTurn([chatCall('a', { arguments: {} })], [chatResult('a')]), /expected a string/],
  [
    'arguments that are no JSON',
    gptTurn([chatCall('a', { arguments: '{"a' })], [chatResult('a')]),
    /not a JSON object/,
  ],
  ['two calls of one id', gptTurn([chatCall('a'), chatCall('a')], [chatResult('a')]), /must be unique/],
  [
    'a call without a result',
    gptTurn([chatCall('a'), chatCall('b')], [chatResult('a'), { role: 'user', content: 'So?' }]),
    /did not have response messages: b/,
  ],
  ['a call at the end', gptTurn([chatCall('a')], []), /did not have response messages: a/],
  ['a result of no call', { ...gpt, messages: [chatResult('a')] }, /must be a response to a preceeding message/],
  [
    'a result behind a message',
    gptTurn([chatCall('a')], [{ role: 'user', content: 'So?' }, chatResult('a')]),
    /did not have response/,
  ],
  ['a tool name with a dot', { ...gpt, tools: [chatTool({ name: 'a.b' })] }, /does not match pattern/],
  ['a tool name that is too long', { ...gpt, tools: [chatTool({ name: 'x'.repeat(65) })] }, /maximum length 64/],
  ['two tools of one name', { ...gpt, tools: [chatTool(), chatTool()] }, /is there twice/],
  ['a tool of no type', { ...gpt, tools: [{ name: 'a' }] }, /'tools\[0\].type'/],
  ['an empty list of tools', { ...gpt, tools: [] }, /empty array/],
  [
    'a schema without properties',
    { ...gpt, tools: [chatTool({ parameters: { type: 'object' } })] },
    /object schema missing properties/,
  ],
  ['a schema of no object', { ...gpt, tools: [chatTool({ parameters: { type: 'string' } })] }, /got 'type: "string"'/],
  [
    'a choice of schemas',
    { ...gpt, tools: [chatTool({ parameters: { ...schema, oneOf: [] } })] },
    /'oneOf' is not allowed/,
  ],
  [
    'a list of anything',
    { ...gpt, tools: [chatTool({ parameters: { type: 'object', properties: { a: { type: 'array' } } } })] },
    /array schema missing items/,
  ],
  ['a strict tool that is open', { ...gpt, tools: [chatTool({ strict: true })] }, /'additionalProperties' is required/],
  [
    'a strict tool with an option',
    { ...gpt, tools: [chatTool({ strict: true, parameters: { ...strictSchema, required: [] } })] },
    /Missing 'location'/,
  ],
  [
    'a strict tool with allOf',
    {
      ...gpt,
      tools: [chatTool({ strict: true, parameters: { ...strictSchema, properties: { location: { allOf: [] } } } })],
    },
    /'allOf' is not permitted/,
  ],
  [
    'a choice without tools',
    { ...gpt, tools: undefined, tool_choice: 'auto' },
    /only allowed when 'tools' are specified/,
  ],
  [
    'one call without tools',
    { ...gpt, tools: undefined, parallel_tool_calls: false },
    /only allowed when 'tools' are specified/,
  ],
  [
    'a choice of no tool',
    { ...gpt, tool_choice: { type: 'function', function: { name: 'other' } } },
    /no function named 'other'/,
  ],
  ['an unknown choice', { ...gpt, tool_choice: 'any' }, /Invalid value: 'any'/],
  ['options of no stream', { ...gpt, stream_options: {} }, /only allowed when 'stream'/],
  ['half of a character', gptUser('\udc00'), /no low surrogate/],
];

const chat: Wire = {
  name: 'refuseOpenAIChat',
  refuse: refuseOpenAIChat,
  messageIn: ({ error }: { error: Body }) => error['message'],
  good: chatGood,
  bad: [
    ...chatBad,
    ['an id that is too long', gptTurn([chatCall('x'.repeat(41))], [chatResult('x'.repeat(41))]), /maximum length 40/],
    [
      'an image in a result',
      gptTurn([chatCall('a')], [chatResult('a', [{ type: 'image_url', image_url: { url: 'https://a.example' } }])]),
      /Invalid value: 'image_url'/,
    ],
    ['129 tools', { ...gpt, tools: many(129, (name) => chatTool({ name })) }, /maximum length 128/],
    [
      'tools for a model that reasons',
      { ...gpt, model: 'gpt-5.6' },
      /use \/v1\/responses or set reasoning_effort to 'none'/,
    ],
    ['the old limit', { ...gpt, model: 'o3', max_tokens: 1 }, /Use 'max_completion_tokens' instead/],
    ['a limit of nothing', { ...gpt, max_completion_tokens: 0 }, /below minimum/],
    [
      'a temperature of a model that reasons',
      { ...gpt, model: 'o3', temperature: 0 },
      /'temperature' is not supported/,
    ],
    [
      'effort of a model that does not reason',
      { ...gpt, reasoning_effort: 'low' },
      /'reasoning_effort' is not supported/,
    ],
    ['an unknown effort', { ...gpt, model: 'o3', reasoning_effort: 'a lot' }, /Invalid value: 'a lot'/],
  ],
};

const gemini3: Body = { ...gpt, model: 'google/gemini-3-pro' };
const openRouter: Wire = {
  name: 'refuseOpenRouter',
  refuse: refuseOpenRouter,
  messageIn: ({ error }: { error: Body }) => error['message'],
  good: {
    ...chatGood,
    'its own members and tools': {
      ...gpt,
      provider: { only: ['a'] },
      tools: [chatTool(), { type: 'openrouter:web_search' }],
    },
    'an image in a result': gptTurn(
      [chatCall('a')],
      [chatResult('a', [{ type: 'image_url', image_url: { url: 'https://a.example' } }])],
    ),
    'reasoning that is preserved': {
      ...gemini3,
      messages: [
        {
          role: 'assistant',
          content: '',
          tool_calls: [chatCall('a')],
          reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', index: 0 }],
        },
        chatResult('a'),
      ],
    },
  },
  bad: [
    ...chatBad,
    [
      'reasoning in fragments',
      {
        ...gpt,
        messages: [
          {
            role: 'assistant',
            content: 'a',
            reasoning_details: [
              { type: 'reasoning.text', index: 0 },
              { type: 'reasoning.text', index: 0 },
            ],
          },
        ],
      },
      /Invalid `signature`/,
    ],
    [
      'reasoning of no type',
      { ...gpt, messages: [{ role: 'assistant', content: 'a', reasoning_details: [{ type: 'thinking' }] }] },
      /unknown type/,
    ],
    [
      'reasoning of Gemini that is lost',
      gptTurn([chatCall('a')], [chatResult('a')], { model: 'google/gemini-3-pro' }),
      /to be preserved/,
    ],
  ],
};

const responsesTool = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather.',
  parameters: schema,
  strict: false,
};
const responsesCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"location":"Paris"}',
};
const responsesResult = { type: 'function_call_output', call_id: 'call_1', output: '15 degrees' };
const reasoningItem = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
const gpt5: Body = { model: 'gpt-5.6', input: [{ role: 'user', content: 'Hi' }], tools: [responsesTool], store: false };
const withInput = (...input: readonly object[]): Body => ({ ...gpt5, input });
const withTool = (changes: object): Body => ({ ...gpt5, tools: [{ ...responsesTool, ...changes }] });
const asUser = (content: unknown): Body => withInput({ role: 'user', content });

const searchCall = { type: 'tool_search_call', id: 'tsc_1', call_id: null, execution: 'server', arguments: {} };
const searchOutput = { type: 'tool_search_output', id: 'tso_1', call_id: null, execution: 'server', tools: [] };

const responses: Wire = {
  name: 'refuseOpenAIResponses',
  refuse: refuseOpenAIResponses,
  messageIn: ({ error }: { error: Body }) => error['message'],
  good: {
    'a text': { model: 'gpt-5.6', input: 'Hi' },
    'reasoning, a call and its result': withInput(
      { role: 'user', content: 'Hi' },
      reasoningItem,
      responsesCall,
      responsesResult,
    ),
    'new items only': { ...withInput(responsesResult), previous_response_id: 'resp_1' },
    'media in a result': withInput(responsesCall, {
      ...responsesResult,
      output: [
        { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,cGRm' },
      ],
    }),
    'a strict tool that is forced': {
      ...withTool({ strict: true, parameters: strictSchema }),
      tool_choice: { type: 'function', name: 'get_weather' },
    },
    'a search for tools and what it found': {
      ...withInput({ role: 'user', content: 'Hi' }, searchCall, searchOutput, responsesCall, responsesResult),
      tools: [{ ...responsesTool, defer_loading: true }, { type: 'tool_search' }],
    },
    'a tool of the server': { ...gpt5, tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
    'a custom call': withInput(
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'a', name: 'sql', input: 'SELECT 1' },
      { type: 'custom_tool_call_output', call_id: 'a', output: '1' },
    ),
    'a message of the model': withInput(
      { role: 'assistant', content: 'Hi' },
      { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
    ),
  },
  bad: [
    ['an unknown member', { ...gpt5, messages: [] }, "Unknown parameter: 'messages'."],
    ['no model', { ...gpt5, model: undefined }, /Missing required parameter: 'model'/],
    ['no input', { ...gpt5, input: [] }, /Missing required parameter: 'input'/],
    ['an unknown item', withInput({ type: 'tool_call' }, { type: 'text' }), /Invalid value: 'text'/],
    ['an unknown role', withInput({ role: 'tool', content: 'a' }), /Invalid value: 'tool'/],
    ['a part of another API', asUser([{ type: 'text', text: 'a' }]), /Invalid value: 'text'/],
    ['an empty list of parts', asUser([]), /empty array/],
    [
      'input of the model',
      withInput({ role: 'assistant', content: [{ type: 'input_text', text: 'a' }] }),
      /Invalid value: 'input_text'/,
    ],
    ['an image without an address', asUser([{ type: 'input_image' }]), /image_url/],
    ['a file of two places', asUser([{ type: 'input_file', file_url: 'a', file_id: 'b' }]), /Mutually exclusive/],
    ['a file without a name', asUser([{ type: 'input_file', file_data: 'data:' }]), /filename/],
    ['an id that is too long', withInput({ ...responsesCall, call_id: 'x'.repeat(65) }), /maximum length 64/],
    ['a call name with a dot', withInput({ ...responsesCall, name: 'a.b' }, responsesResult), /does not match pattern/],
    [
      'arguments that are an object',
      withInput({ ...responsesCall, arguments: {} }, responsesResult),
      /expected a string/,
    ],
    [
      'a search of a model that has none',
      { ...gpt5, model: 'gpt-5.3', tools: [{ type: 'tool_search' }] },
      /tool_search/,
    ],
    ['a deferred tool that nobody can find', withTool({ defer_loading: true }), /requires the tool 'tool_search'/],
    ['a find without a search', withInput(searchOutput), /No tool search call found/],
    ['a find that says nothing', withInput(searchCall, { ...searchOutput, tools: null }), /input\[1\].tools/],
    [
      'a strict tool with a default',
      withTool({
        strict: true,
        parameters: { ...strictSchema, properties: { location: { type: 'string', default: 'Paris' } } },
      }),
      /'default' is not permitted/,
    ],
    ['an item id of another kind', withInput({ ...responsesCall, id: 'call_1' }, responsesResult), /begins with 'fc'/],
    [
      'an item that is there twice',
      withInput({ role: 'user', content: 'a' }, reasoningItem, reasoningItem, responsesCall, responsesResult),
      /Duplicate item/,
    ],
    ['a call without a result', withInput(responsesCall), 'No tool output found for function call call_1.'],
    [
      'a result of no call',
      withInput(responsesResult),
      /No tool call found for function call output with call_id call_1/,
    ],
    [
      'two calls of one id',
      withInput(responsesCall, { ...responsesCall, id: 'fc_2' }, responsesResult),
      /is there twice/,
    ],
    ['two results of one call', withInput(responsesCall, responsesResult, responsesResult), /is there twice/],
    ['an empty list as a result', withInput(responsesCall, { ...responsesResult, output: [] }), /empty array/],
    [
      'a result that is no text',
      withInput(responsesCall, { ...responsesResult, output: { ok: true } }),
      /expected one of a string/,
    ],
    [
      'reasoning that leads to nothing',
      withInput(reasoningItem, { role: 'user', content: 'a' }),
      /without its required following item/,
    ],
    [
      'reasoning that nobody has stored',
      withInput({ ...reasoningItem, encrypted_content: undefined }, responsesCall, responsesResult),
      /Items are not persisted/,
    ],
    [
      'reasoning without a summary',
      withInput({ ...reasoningItem, summary: undefined }, responsesCall, responsesResult),
      /summary/,
    ],
    ['a tool of the other API', { ...gpt5, tools: [chatTool()] }, /Unknown parameter: 'tools\[0\].function'/],
    ['a tool name with a dot', withTool({ name: 'a.b' }), /does not match pattern/],
    ['two tools of one name', { ...gpt5, tools: [responsesTool, responsesTool] }, /is there twice/],
    ['129 tools', { ...gpt5, tools: many(129, (name) => ({ ...responsesTool, name })) }, /maximum length 128/],
    ['a schema without properties', withTool({ parameters: { type: 'object' } }), /object schema missing properties/],
    ['a choice of schemas', withTool({ parameters: { ...schema, anyOf: [] } }), /'anyOf' is not allowed/],
    ['a strict tool that is open', withTool({ strict: true }), /'additionalProperties' is required/],
    ['a choice without tools', { ...gpt5, tools: undefined, tool_choice: 'auto' }, /only allowed when 'tools'/],
    [
      'a choice of no tool',
      { ...gpt5, tool_choice: { type: 'function', name: 'other' } },
      "Tool choice 'other' not found in 'tools' parameter.",
    ],
    [
      'a choice of the other API',
      { ...gpt5, tool_choice: { type: 'function', function: { name: 'a' } } },
      /tool_choice.function/,
    ],
    ['a temperature of a model that reasons', { ...gpt5, temperature: 0 }, /'temperature' is not supported/],
    [
      'effort of a model that does not reason',
      { ...gpt5, model: 'gpt-4.1', reasoning: { effort: 'low' } },
      /'reasoning.effort' is not supported/,
    ],
    [
      'encrypted reasoning of a model without',
      { ...gpt5, model: 'gpt-4.1', include: ['reasoning.encrypted_content'] },
      /Encrypted content is not supported/,
    ],
    ['a small limit', { ...gpt5, max_output_tokens: 8 }, />= 16/],
    ['half of a character', asUser('\ud83d'), /no low surrogate/],
  ],
};

const declaration = { name: 'get_weather', description: 'The weather.', parametersJsonSchema: schema };
const geminiCall = (name = 'get_weather', more: object = { thoughtSignature: 'c2ln' }): object => ({
  functionCall: { name, args: { location: 'Paris' } },
  ...more,
});
const geminiResult = (name = 'get_weather', more: object = {}): object => ({
  functionResponse: { name, response: { output: '15' }, ...more },
});
const asked = { role: 'user', parts: [{ text: 'And?' }] };
const geminiBase: Body = { contents: [asked], tools: [{ functionDeclarations: [declaration] }] };
const geminiTurn = (calls: readonly object[], results: readonly object[]): Body => ({
  ...geminiBase,
  contents: [asked, { role: 'model', parts: calls }, { role: 'user', parts: results }],
});
const declared = (changes: object): Body => ({
  ...geminiBase,
  tools: [{ functionDeclarations: [{ ...declaration, ...changes }] }],
});
const openApi = (parameters: object): Body => declared({ parameters, parametersJsonSchema: undefined });
const calling = (config: object): Body => ({ ...geminiBase, toolConfig: { functionCallingConfig: config } });
const inlined = (inlineData: object): Body => ({
  ...geminiBase,
  contents: [{ role: 'user', parts: [{ inlineData }] }],
});

const gemini: Wire = {
  name: 'refuseGemini',
  refuse: (body) => refuseGemini(JSON.parse(JSON.stringify(body)), (body as { of?: string }).of),
  messageIn: ({ error }: { error: Body }) => error['message'],
  good: {
    'a question': {
      ...geminiBase,
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { maxOutputTokens: 9 },
    },
    'two calls, the first signed, and their results': geminiTurn(
      [{ text: 'Hm.', thought: true }, geminiCall(), geminiCall('get_weather', {})],
      [geminiResult(), geminiResult()],
    ),
    'a call of another model': geminiTurn(
      [geminiCall('a', { thoughtSignature: 'skip_thought_signature_validator' })],
      [geminiResult('a')],
    ),
    'an earlier exchange without signatures': {
      ...geminiBase,
      contents: [
        ...(geminiTurn([geminiCall('a', {})], [geminiResult('a')])['contents'] as object[]),
        { role: 'model', parts: [{ text: 'So.' }] },
        asked,
      ],
    },
    'an image in a result': geminiTurn(
      [geminiCall()],
      [geminiResult('get_weather', { parts: [{ inlineData: { mimeType: 'image/png', data: pixel } }] })],
    ),
    'a forced tool': calling({ mode: 'ANY', allowedFunctionNames: ['get_weather'] }),
    'a selection of OpenAPI': openApi({ type: 'OBJECT', properties: { a: { type: 'STRING', enum: ['b'] } } }),
  },
  bad: [
    ['an unknown member', { ...geminiBase, system: 'a' }, /Unknown name "system"/],
    [
      'an unknown setting',
      { ...geminiBase, generationConfig: { maxTokens: 1 } },
      /Unknown name "maxTokens" at 'generation_config'/,
    ],
    ['no contents', { ...geminiBase, contents: [] }, /contents is not specified/],
    ['an unknown role', { ...geminiBase, contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] }, /valid role/],
    ['no parts', { ...geminiBase, contents: [{ role: 'user', parts: [] }] }, /parts must not be empty/],
    [
      'an unknown part',
      { ...geminiBase, contents: [{ role: 'user', parts: [{ type: 'text', text: 'a' }] }] },
      /Unknown name "type"/,
    ],
    [
      'a part without data',
      { ...geminiBase, contents: [{ role: 'user', parts: [{ thought: true }] }] },
      /oneof field 'data'/,
    ],
    [
      'a part with two data',
      { ...geminiBase, contents: [{ role: 'user', parts: [{ text: 'a', inlineData: {} }] }] },
      /oneof field 'data'/,
    ],
    ['data that is no base64', inlined({ mimeType: 'image/png', data: 'no base64!' }), /Base64 decoding failed/],
    ['data of no type', inlined({ data: pixel }), /mime_type/],
    [
      'a signature that is no base64',
      geminiTurn([geminiCall('a', { thoughtSignature: 'no base64!' })], [geminiResult('a')]),
      /thought_signature/,
    ],
    ['a call name with a space', geminiTurn([geminiCall('a b')], [geminiResult('a b')]), /Invalid function name/],
    [
      'arguments that are a text',
      geminiTurn([{ functionCall: { name: 'a', args: '{}' }, thoughtSignature: 'c2ln' }], [geminiResult('a')]),
      /protobuf.Struct/,
    ],
    [
      'a result that is a text',
      geminiTurn([geminiCall()], [geminiResult('get_weather', { response: '15' })]),
      /protobuf.Struct/,
    ],
    [
      'text in the parts of a result',
      geminiTurn([geminiCall()], [geminiResult('get_weather', { parts: [{ text: 'a' }] })]),
      /Unknown name "text"/,
    ],
    [
      'fewer results than calls',
      geminiTurn([geminiCall(), geminiCall()], [geminiResult()]),
      /number of function response parts is equal/,
    ],
    [
      'more results than calls',
      geminiTurn([geminiCall()], [geminiResult(), geminiResult()]),
      /number of function response parts is equal/,
    ],
    [
      'a call at the end',
      { ...geminiBase, contents: [asked, { role: 'model', parts: [geminiCall()] }] },
      /number of function response parts is equal/,
    ],
    [
      'a result of no call',
      { ...geminiBase, contents: [asked, { role: 'user', parts: [geminiResult()] }] },
      /comes immediately after a function call turn/,
    ],
    [
      'a call of the user',
      { ...geminiBase, contents: [{ role: 'user', parts: [geminiCall()] }] },
      /comes immediately after a user turn/,
    ],
    [
      'a call behind the model',
      {
        ...geminiBase,
        contents: [asked, { role: 'model', parts: [{ text: 'a' }] }, { role: 'model', parts: [geminiCall()] }],
      },
      /comes immediately after a user turn/,
    ],
    [
      'results in another order',
      geminiTurn([geminiCall('a'), geminiCall('b', {})], [geminiResult('b'), geminiResult('a')]),
      /in the order/,
    ],
    [
      'a call that is not signed',
      geminiTurn([geminiCall('a', {})], [geminiResult('a')]),
      /missing a thought_signature/,
    ],
    ['no declarations', { ...geminiBase, tools: [{ functionDeclarations: [] }] }, /must not be empty/],
    [
      '513 declarations',
      { ...geminiBase, tools: [{ functionDeclarations: many(513, (name) => ({ ...declaration, name })) }] },
      /at most 512/,
    ],
    [
      'two tools of one name',
      { ...geminiBase, tools: [{ functionDeclarations: [declaration, declaration] }] },
      /Duplicate function declaration/,
    ],
    ['a tool name with a space', declared({ name: 'a b' }), /Invalid function name/],
    ['an unknown member of a tool', declared({ strict: true }), /Unknown name "strict"/],
    ['two schemas', declared({ parameters: { type: 'OBJECT' } }), /mutually exclusive/],
    [
      'a parameter name with a dash',
      declared({ parametersJsonSchema: { type: 'object', properties: { 'a-b': {} } } }),
      /Invalid parameter name a-b/,
    ],
    ['a schema of no object', declared({ parametersJsonSchema: { anyOf: [] } }), /should be of type object/],
    [
      'JSON Schema for OpenAPI',
      openApi({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }),
      /Unknown name "additionalProperties"/,
    ],
    ['an empty object for OpenAPI', openApi({ type: 'OBJECT' }), /should be non-empty for OBJECT type/],
    [
      'a list of anything for OpenAPI',
      openApi({ type: 'OBJECT', properties: { a: { type: 'ARRAY' } } }),
      /items: missing field/,
    ],
    [
      'numbers to choose from for OpenAPI',
      openApi({ type: 'OBJECT', properties: { a: { type: 'INTEGER', enum: [1] } } }),
      /only allowed for STRING/,
    ],
    ['an unknown mode', calling({ mode: 'REQUIRED' }), /FunctionCallingConfig.Mode/],
    ['a mode without functions', { ...calling({ mode: 'ANY' }), tools: undefined }, /without function_declarations/],
    ['names for no choice', calling({ mode: 'AUTO', allowedFunctionNames: ['get_weather'] }), /only be set when/],
    [
      'a choice of no tool',
      calling({ mode: 'ANY', allowedFunctionNames: ['other'] }),
      /is not in function_declarations/,
    ],
    ['an empty instruction', { ...geminiBase, systemInstruction: { parts: [{ text: '' }] } }, /system_instruction/],
    [
      'half of a character',
      { ...geminiBase, contents: [{ role: 'user', parts: [{ text: '\ud83d' }] }] },
      /no low surrogate/,
    ],
  ],
};

const step = { type: 'user_input', content: [{ type: 'text', text: 'And?' }] };
const stepCall = { type: 'function_call', id: 'call_1', name: 'get_weather', arguments: { location: 'Paris' } };
const stepResult = { type: 'function_result', call_id: 'call_1', name: 'get_weather', result: '15' };
const thought = { type: 'thought', signature: 'c2ln', summary: [] };
const interactionTool = { type: 'function', name: 'get_weather', description: 'The weather.', parameters: schema };
const interaction: Body = { model: 'gemini-3-pro', input: 'And?', tools: [interactionTool] };
const steps = (...input: readonly object[]): Body => ({ ...interaction, input });

const interactions: Wire = {
  name: 'refuseGeminiInteractions',
  refuse: refuseGeminiInteractions,
  messageIn: ({ error }: { error: Body }) => error['message'],
  good: {
    'a text': interaction,
    'a thought, a call and its result': steps(step, thought, stepCall, stepResult),
    'a call that is signed itself': steps(
      step,
      { ...stepCall, signature: 'c2ln' },
      { ...stepResult, is_error: true, result: { error: 'no' } },
    ),
    'a result with an image': steps(step, thought, stepCall, {
      ...stepResult,
      result: [{ type: 'image', mime_type: 'image/png', data: pixel }],
    }),
    contents: steps({ type: 'text', text: 'Look.' }, { type: 'image', mime_type: 'image/png', data: pixel }),
    'a result only': { ...steps(stepResult), previous_interaction_id: 'int_1' },
    'a forced tool': {
      ...interaction,
      generation_config: { tool_choice: { allowed_tools: { mode: 'any', tools: ['get_weather'] } } },
    },
  },
  bad: [
    ['an unknown member', { ...interaction, messages: [] }, /Unknown parameter 'messages'/],
    ['no model', { ...interaction, model: undefined }, /Exactly one of/],
    ['no input', steps(), /'input'/],
    ['an empty instruction', { ...interaction, system_instruction: '' }, /system_instruction/],
    ['an unknown step', steps({ type: 'tool_call' }), /Invalid value 'tool_call'/],
    ['a step without content', steps({ ...step, content: [] }), /must not be empty/],
    ['an unknown content', steps({ ...step, content: [{ type: 'input_text' }] }), /Invalid value 'input_text'/],
    [
      'data that is no base64',
      steps({ ...step, content: [{ type: 'image', mime_type: 'image/png', data: 'no base64!' }] }),
      /Base64 decoding failed/,
    ],
    ['data of no type', steps({ ...step, content: [{ type: 'image', data: pixel }] }), /mime_type/],
    ['a call without an id', steps(step, thought, { ...stepCall, id: undefined }, stepResult), /'input\[2\].id'/],
    [
      'a call name with a space',
      steps(step, thought, { ...stepCall, name: 'a b' }, stepResult),
      /Invalid function name/,
    ],
    [
      'arguments that are a text',
      steps(step, thought, { ...stepCall, arguments: '{}' }, stepResult),
      /expected an object/,
    ],
    ['no result', steps(step, thought, stepCall, { ...stepResult, result: undefined }), /result/],
    ['an empty list as a result', steps(step, thought, stepCall, { ...stepResult, result: [] }), /must not be empty/],
    ['a failure that is no boolean', steps(step, thought, stepCall, { ...stepResult, is_error: 'yes' }), /is_error/],
    ['a call without a result', steps(step, thought, stepCall), /call_1 has none/],
    ['a result of no call', steps(step, stepResult), /does not match a function call/],
    ['two calls of one id', steps(step, thought, stepCall, stepCall, stepResult), /is there twice/],
    ['a call that is not signed', steps(step, stepCall, stepResult), /missing a thought signature/],
    ['a thought that is not signed', steps(step, { type: 'thought' }, stepCall, stepResult), /signature/],
    [
      'two tools of one name',
      { ...interaction, tools: [interactionTool, interactionTool] },
      /Duplicate function declaration/,
    ],
    ['a tool of no type', { ...interaction, tools: [{ name: 'a' }] }, /type/],
    [
      'an unknown member of a tool',
      { ...interaction, tools: [{ ...interactionTool, strict: true }] },
      /'tools\[0\].strict'/,
    ],
    [
      'a tool name with a space',
      { ...interaction, tools: [{ ...interactionTool, name: 'a b' }] },
      /Invalid function name/,
    ],
    [
      'a schema of no object',
      { ...interaction, tools: [{ ...interactionTool, parameters: {} }] },
      /should be of type object/,
    ],
    ['an unknown choice', { ...interaction, generation_config: { tool_choice: 'required' } }, /tool_choice/],
    [
      'a choice of no tool',
      { ...interaction, generation_config: { tool_choice: { allowed_tools: { tools: ['other'] } } } },
      /other is not among the tools/,
    ],
    ['half of a character', { ...interaction, input: '\ud83d' }, /no low surrogate/],
  ],
};

const ollamaTool = chatTool();
const llama: Body = { model: 'qwen3', messages: [{ role: 'user', content: 'And?' }], tools: [ollamaTool] };
const said = (...messages: readonly object[]): Body => ({ ...llama, messages });
const llamaTool = (changes: object): Body => ({ ...llama, tools: [chatTool(changes)] });

const ollama: Wire = {
  name: 'refuseOllamaChat',
  refuse: refuseOllamaChat,
  messageIn: ({ error }: { error: unknown }) => error,
  good: {
    'a question': { ...llama, think: 'high', options: { num_predict: 9 }, stream: true, unheard_of: true },
    'a call and its result': said(
      {
        role: 'assistant',
        content: '',
        thinking: 'Hm.',
        tool_calls: [{ id: 'call_1', function: { index: 0, name: 'a.b', arguments: {} } }],
      },
      { role: 'tool', tool_name: 'a.b', tool_call_id: 'call_1', content: '' },
    ),
    'a result of no call, which it does not look for': said({ role: 'tool', content: '15' }),
    'an image': said({ role: 'user', content: 'Look.', images: [pixel] }),
  },
  bad: [
    ['no model', { ...llama, model: '' }, 'model is required'],
    ['messages that are a text', { ...llama, messages: 'Hi' }, /cannot unmarshal string/],
    ['an unknown role', said({ role: 'developer', content: 'a' }), /invalid role/],
    [
      'content in parts',
      said({ role: 'user', content: [{ type: 'text', text: 'a' }] }),
      /cannot unmarshal array into Go struct field ChatRequest.messages.content/,
    ],
    [
      'an image with its type',
      said({ role: 'user', content: '', images: [`data:image/png;base64,${pixel}`] }),
      /illegal base64/,
    ],
    [
      'arguments that are a text',
      said({ role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }),
      /cannot unmarshal string/,
    ],
    [
      'a call without a name',
      said({ role: 'assistant', tool_calls: [{ function: { arguments: {} } }] }),
      /needs a name/,
    ],
    ['a call of the user', said({ role: 'user', content: '', tool_calls: [] }), /only the assistant/],
    ['thinking that is no text', said({ role: 'assistant', content: '', thinking: {} }), /messages.thinking/],
    ['a result of a number', said({ role: 'tool', content: '', tool_call_id: 1 }), /tool_call_id/],
    ['a tool of no type', { ...llama, tools: [{ function: { name: 'a' } }] }, /invalid tool type/],
    ['a tool without a name', llamaTool({ name: '' }), /needs a name/],
    ['a schema without a type', llamaTool({ parameters: {} }), /parameters.type/],
    [
      'properties that are a list',
      llamaTool({ parameters: { type: 'object', properties: [] } }),
      /parameters.properties/,
    ],
    [
      'a property that is true',
      llamaTool({ parameters: { type: 'object', properties: { a: true } } }),
      /api.ToolProperty/,
    ],
    ['required that is true', llamaTool({ parameters: { type: 'object', required: true } }), /parameters.required/],
    ['an unknown depth of thought', { ...llama, think: 'a lot' }, /invalid think value/],
    ['a limit that is a text', { ...llama, options: { num_predict: '9' } }, /num_predict/],
    ['a stream that is a text', { ...llama, stream: 'yes' }, /stream/],
    ['half of a character', said({ role: 'user', content: '\ud83d' }), /no low surrogate/],
  ],
};

describe.each([anthropic, responses, chat, openRouter, gemini, interactions, ollama])('$name', (wire) => {
  it.each(Object.keys(wire.good))('takes %s', (name) => {
    expect(wire.refuse(wire.good[name])).toBeUndefined();
  });

  it.each(wire.bad)('refuses %s', (_, body, message) => {
    const reply = wire.refuse(body);
    expect(reply).toMatchObject({ status: 400, headers: { 'content-type': 'application/json' } });
    const refused: unknown = wire.messageIn(JSON.parse(String(reply?.body)) as never);
    expect(refused).toMatch(message);
  });
});

it('asks models of Google of before the third generation for no signatures, but for one kind of tools', () => {
  expect(refuseGemini(geminiTurn([geminiCall('a', {})], [geminiResult('a')]), 'gemini-2.5-pro')).toBeUndefined();
  const both = { ...geminiBase, tools: [...(geminiBase['tools'] as object[]), { googleSearch: {} }] };
  expect(refuseGemini(both)).toBeUndefined();
  expect(refuseGemini(both, 'gemini-2.5-pro')?.body).toContain('Tool use with function calling is unsupported');
  const json = { ...geminiBase, generationConfig: { responseMimeType: 'application/json' } };
  expect(refuseGemini(json, 'gemini-2.5-pro')?.body).toContain('application/json');
});
