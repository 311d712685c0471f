// Features of models, and the tests that prove them: each title is a test of `modelSuite`, or of another file with a
// block per API.

export interface Feature {
  readonly name: string;
  readonly titles: readonly string[];
}

export const features: readonly Feature[] = [
  { name: 'text, streamed', titles: ['streams text in order, and finishes last'] },
  { name: 'reasoning, streamed', titles: ['streams reasoning before text'] },
  { name: 'calls without arguments', titles: ['accepts a call without arguments'] },
  {
    name: 'parallel calls',
    titles: [
      'reports two calls of one turn in order, each begun before it is complete',
      'sends the results of all calls',
    ],
  },
  { name: 'arguments, in fragments or whole', titles: ['joins the arguments of a call from fragments'] },
  {
    name: 'arguments that are not JSON',
    titles: [
      'keeps arguments that are not JSON, for the model to correct',
      'sends a call whose arguments are not JSON',
    ],
  },
  { name: 'text and calls interleaved', titles: ['keeps text and calls in the order of the stream'] },
  { name: 'calls with any finish reason', titles: ['reports calls for every finish reason'] },
  { name: 'a stream that is truncated', titles: ['keeps the parts that arrived before the connection broke'] },
  {
    name: 'a stream without an end',
    titles: ['notices an answer that does not end', 'notices an answer that does not begin'],
  },
  {
    name: 'an error within the stream',
    titles: [
      'keeps the parts that arrived before the vendor failed',
      'does not accept an error as an answer',
      'does not accept a web page as an answer',
    ],
  },
  {
    name: 'rejected keys and unknown models',
    titles: ['reports a refused key', 'reports a missing model', 'has no key in an error'],
  },
  {
    name: 'rate limits and overload',
    titles: [
      'reports a rate limit, and how long to wait',
      'is retried by a run until the server and the connection recover',
      'reports a server failure',
      'reports an overloaded server',
    ],
  },
  { name: 'a conversation that is too long', titles: ['reports a conversation that is too long'] },
  {
    name: 'abort',
    titles: [
      'sends no request if it was aborted before',
      'ends at once if aborted before the first byte',
      'ends at once if aborted in the middle of a stream',
      'closes the connection when its reader stops',
    ],
  },
  { name: 'the output limit', titles: ['reports that the output limit ended the turn'] },
  { name: 'a refusal', titles: ['reports a refusal by the model'] },
  { name: 'a filter', titles: ['reports that a filter ended the turn'] },
  { name: 'unknown events', titles: ['ignores unknown events and members'] },
  { name: 'input and output tokens', titles: ['counts input and output tokens'] },
  {
    name: 'cached tokens',
    titles: ['counts tokens read from the cache as input', 'counts tokens written to the cache as input'],
  },
  { name: 'reasoning tokens', titles: ['counts reasoning as output'] },
  { name: 'concurrent requests', titles: ['answers two requests at once, each by itself'] },
  {
    name: 'cacheable requests',
    titles: ['sends the same request as the same bytes'],
  },
  {
    name: 'with and without instructions and tools',
    titles: [
      'sends the instructions and the messages',
      'sends a request without tools and instructions',
      'declares a hundred tools',
    ],
  },
  {
    name: 'tool names, adapted and restored',
    titles: [
      'adapts names that the vendor does not accept, and restores them in calls',
      'sends a call by a name that the vendor does not accept',
    ],
  },
  { name: 'unusual schemas', titles: ['declares tools with unusual schemas'] },
  {
    name: 'an input that is one of several objects',
    titles: ['describes the forms of an input that is one of several objects'],
  },
  {
    name: 'sampling, format and tier settings; unsupported ones are reported',
    titles: ['sends the settings that it declares, and no others'],
  },
  { name: 'provider options', titles: ['merges provider options into the request, and prefers them'] },
  { name: 'tool choice', titles: ['sends the tool choice'] },
  { name: 'a forced tool', titles: ['forces a tool by the name that the vendor knows'] },
  { name: 'one call per turn', titles: ['limits a turn to one call'] },
  { name: 'failed results, marked', titles: ['tells a failed result from a successful one'] },
  { name: 'images from the user', titles: ['sends a picture by the user'] },
  { name: 'images from tools', titles: ['sends a picture that a tool returned'] },
  { name: 'vendor tools', titles: ['sends a tool of the vendor unchanged'] },
  { name: 'provider data, sent back', titles: ['sends provider data back to its own API'] },
  {
    name: 'no provider data to other vendors',
    titles: ['sends provider data to no other API', 'accepts the history of another model'],
  },
  {
    name: 'threads of every other API',
    titles: ['continues a thread of every other vendor, and its own'],
  },
  {
    name: 'unanswered calls',
    titles: ['sends a result for a call that has none', 'sends a failure without text'],
  },
  {
    name: 'any history, any text',
    titles: [
      'accepts any history that core has arranged',
      'accepts a text with half of a surrogate pair',
      'accepts arguments with half of a surrogate pair',
    ],
  },
];
