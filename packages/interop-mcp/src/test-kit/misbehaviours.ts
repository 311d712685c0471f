// Misbehaviours of servers, as data: the program plays them, and the test checks the user's view.

/** One misbehaviour. Otherwise the server is correct, and has the tools `x_echo` and `x_good`. */
export interface Misbehaviour {
  /** The tools that it lists. */
  readonly tools?: readonly unknown[];
  /** The result of each `tools/list`, in place of its tools. */
  readonly list?: unknown;
  /** The result of each call. A function gets the number of the call. */
  readonly result?: unknown;
  /** An error in place of a result. */
  readonly error?: unknown;
  /** Written verbatim before each result. */
  readonly noise?: string;
  /** Its behaviour when called, in place of a result. */
  readonly onCall?: 'nothing' | 'exit' | 'endless-progress' | 'half-message' | 'wrong-id' | 'asks';
  /** Its behaviour when started. */
  readonly onStart?: 'exit' | 'nothing' | 'garbage';
  readonly capabilities?: unknown;
  /** Number of notifications of changed tools after each result. */
  readonly changes?: number;
}

const object = { type: 'object' };
export const echo = { name: 'echo', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
const good = { name: 'good', inputSchema: object };
const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });
const withSchema = (inputSchema: unknown): readonly unknown[] => [{ name: 'echo', inputSchema }, good];
const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
const bomb = Object.fromEntries(
  Array.from({ length: 24 }, (_, n) => [
    `l${n}`,
    n === 0 ? { not: {} } : { allOf: [{ $ref: `#/$defs/l${n - 1}` }, { $ref: `#/$defs/l${n - 1}` }] },
  ]),
);

export const misbehaviours = {
  'a tool without an input schema': { tools: [{ name: 'echo' }, good] },
  'an input schema that is no object': { tools: withSchema('string') },
  'an input schema that describes no object': { tools: withSchema({ type: 'array' }) },
  'a description that is null': { tools: [{ ...echo, description: null }, good] },
  'a hint that is a text': { tools: [{ ...echo, annotations: { readOnlyHint: 'yes' } }, good] },
  'a schema that refers to another address': {
    tools: withSchema({ ...object, properties: { a: { $ref: 'http://127.0.0.1:9/x' } } }),
  },
  'a schema that refers to nothing': { tools: withSchema({ ...object, properties: { a: { $ref: '#/$defs/none' } } }) },
  'a schema in an unknown dialect': { tools: withSchema({ ...object, $schema: 'https://example.com/own' }) },
  'a schema with dynamic references': { tools: withSchema({ ...object, properties: { a: { $dynamicRef: '#x' } } }) },
  'a schema nested a thousand levels deep': {
    tools: withSchema({ ...object, properties: JSON.parse(nested(1_000)) as object }),
  },
  'a schema of two megabytes': { tools: withSchema({ ...object, description: 'x'.repeat(2_000_000) }) },
  'a schema with a pattern that backtracks': {
    tools: withSchema({ ...object, properties: { text: { type: 'string', pattern: '^(a+)+$' } } }),
  },
  'a schema that doubles with each reference': {
    tools: withSchema({ ...object, $defs: bomb, properties: { text: { $ref: '#/$defs/l23' } } }),
  },
  'an output schema that refers to another address': {
    tools: [{ ...echo, outputSchema: { ...object, properties: { a: { $ref: 'http://127.0.0.1:9/x' } } } }, good],
  },
  'two tools of one name': { tools: [echo, { ...echo, description: 'another' }, good] },
  'a tool without a name': { tools: [{ inputSchema: object }, { name: '', inputSchema: object }, 7, good] },
  'a name that no model takes': {
    tools: [{ ...echo, name: 'écho the/text ☃' }, { ...echo, name: 'e'.repeat(200) }, good],
  },
  'a description with characters that nobody sees': {
    tools: [{ ...echo, description: 'Echoes\u202e\u{e0041}\u200b a text.' }, good],
  },
  'a description of a megabyte': { tools: [{ ...echo, description: 'x'.repeat(1_000_000) }, good] },
  'a list that is none': { list: { tools: 'none' } },
  'pages without an end': { list: { tools: [good], nextCursor: 'next' } },
  'ten thousand tools': { tools: Array.from({ length: 10_000 }, (_, n) => ({ name: `t${n}`, inputSchema: object })) },
  'no tools at all, and says so': { capabilities: {} },
  'a part of an unknown type': {
    result: {
      content: [
        { type: 'video', data: 'x' },
        { type: 'text', text: 'seen' },
      ],
    },
  },
  'ten thousand parts': {
    result: { content: Array.from({ length: 10_000 }, (_, n) => ({ type: 'text', text: `${n}` })) },
  },
  'more tools than anybody looks at': {
    tools: Array.from({ length: 10_001 }, (_, n) => ({ name: `t${n}`, inputSchema: object })),
  },
  'content that is no list': { result: { content: 'text' } },
  'an image that is no base64': { result: { content: [{ type: 'image', data: '<svg>', mimeType: 'image/png' }] } },
  'an image of the type text/html': {
    result: { content: [{ type: 'image', data: 'aGVsbG8=', mimeType: 'text/html' }] },
  },
  'structured output that is a list': { result: { content: [], structuredContent: [1, 2] } },
  'structured output that does not match': {
    tools: [{ ...echo, outputSchema: { ...object, properties: { n: { type: 'number' } }, required: ['n'] } }],
    result: { content: [], structuredContent: { n: 'one' } },
  },
  'no structured output, though it promised one': {
    tools: [{ ...echo, outputSchema: object }],
    result: text('only text'),
  },
  'the same thing as text and as structured output': {
    result: { ...text('{"b":1,"a":[2]}'), structuredContent: { a: [2], b: 1 } },
  },
  'a failure without a reason': { result: { content: [], isError: true } },
  'a result of a megabyte of text': { result: text('x'.repeat(1_000_000)) },
  'a text for people alone': {
    result: {
      content: [
        { type: 'text', text: 'hidden', annotations: { audience: ['user'] } },
        { type: 'text', text: 'seen' },
      ],
    },
  },
  'a protocol error': { error: { code: -32603, message: 'Internal error at /srv/app/server.js' } },
  'an error that is none': { error: 'no' },
  'a result that is null': { result: null },
  'lines that are no messages': { noise: 'Server listening on port 3000\n{"half":\n\n[]\n' },
  'answers to questions that nobody asked': { noise: '{"jsonrpc":"2.0","id":9999,"result":{}}\n' },
  'a call that it never answers': { onCall: 'nothing' },
  'progress without an end': { onCall: 'endless-progress' },
  'an end in the middle of a call': { onCall: 'exit' },
  'half a message, and then an end': { onCall: 'half-message' },
  'an answer to another call': { onCall: 'wrong-id' },
  'a question that the client has not offered to answer': { onCall: 'asks' },
  'an end at its start, with a reason': { onStart: 'exit' },
  'no answer at its start': { onStart: 'nothing' },
  'garbage at its start': { onStart: 'garbage' },
  'changes that it announces without an end': { changes: 200 },
} as const satisfies Readonly<Record<string, Misbehaviour>>;
