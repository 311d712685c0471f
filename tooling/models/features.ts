// Features of models, and the tests that prove them: each title is a test of `modelSuite`, or of another file with a
// block per API.

export interface Feature {
  readonly name: string;
  readonly titles: readonly string[];
}

export const features: readonly Feature[] = [
  { name: 'text, streamed', titles: ['streams text in order, and finishes last'] },
  { name: 'what the model thinks, streamed', titles: ['streams what the model thinks before what it says'] },
  { name: 'calls without arguments', titles: ['takes a call without arguments'] },
  {
    name: 'parallel calls',
    titles: [
      'takes two calls of one turn in order, each begun before it is made',
      'hands back the results of all calls',
    ],
  },
  { name: 'arguments, in fragments or whole', titles: ['joins the arguments of a call from fragments'] },
  {
    name: 'arguments that are no JSON',
    titles: [
      'keeps arguments that are no JSON, for the model to mend',
      'hands back a call whose arguments were no JSON',
    ],
  },
  { name: 'text and calls by turns', titles: ['keeps text and calls in the order of the stream'] },
  { name: 'calls whatever the reason of the end', titles: ['tells of calls whatever the reason of the end'] },
  { name: 'a stream that breaks off', titles: ['keeps what came before the connection broke'] },
  {
    name: 'a stream without an end',
    titles: ['notices an answer that does not end', 'notices an answer that does not begin'],
  },
  {
    name: 'an error within the stream',
    titles: ['keeps what came before the vendor failed', 'takes no error for an answer', 'takes no page for an answer'],
  },
  {
    name: 'errors of keys and names',
    titles: ['tells of a key that is refused', 'tells of a model that is not there', 'has no key in an error'],
  },
  {
    name: 'limits and overload',
    titles: [
      'tells of too many requests, and for how long to wait',
      'is asked again by a run until the server and the connection hold',
      'tells of a server that failed',
      'tells of a server that is overloaded',
    ],
  },
  { name: 'a conversation that is too long', titles: ['tells of a conversation that is too long'] },
  {
    name: 'abort',
    titles: [
      'asks nothing when it was aborted before',
      'ends at once when it is aborted before anything came',
      'ends at once when it is aborted in the middle',
      'closes the connection when nobody reads on',
    ],
  },
  { name: 'the limit of tokens', titles: ['says that the limit of tokens ended the turn'] },
  { name: 'a refusal', titles: ['says that the model refused'] },
  { name: 'a filter', titles: ['says that a filter ended the turn'] },
  { name: 'unknown events', titles: ['passes over events and members that it does not know'] },
  { name: 'tokens read and written', titles: ['counts what was read and written'] },
  {
    name: 'tokens of the cache',
    titles: ['counts what came from the cache as read', 'counts what went to the cache as read'],
  },
  { name: 'tokens of thought', titles: ['counts reasoning as written'] },
  { name: 'requests side by side', titles: ['answers two requests at once, each by itself'] },
  {
    name: 'requests that a cache can hold',
    titles: ['asks the same in the same bytes'],
  },
  {
    name: 'instructions and tools, or none',
    titles: ['says what it was told', 'asks without tools and without instructions', 'declares a hundred tools'],
  },
  {
    name: 'names of tools, adapted and back',
    titles: [
      'adapts names that the vendor does not take, and gives back the own',
      'hands back a call by a name that the vendor does not take',
    ],
  },
  { name: 'unusual schemas', titles: ['declares tools with unusual schemas'] },
  {
    name: 'an input that is one of several objects',
    titles: ['tells the forms of an input that is one of several objects'],
  },
  {
    name: 'settings of sampling, form and tier, told if not taken',
    titles: ['sends the settings that it says it takes, and no others'],
  },
  { name: 'the choice of tools', titles: ['says whether to call tools'] },
  { name: 'one certain tool', titles: ['forces a tool by the name that the vendor knows'] },
  { name: 'one call a turn', titles: ['asks for one call a turn'] },
  { name: 'images of the user', titles: ['shows the model a picture of the user'] },
  { name: 'images of tools', titles: ['shows the model a picture that a tool has returned'] },
  { name: 'tools of the vendor', titles: ['puts a tool of the vendor onto the wire as it is'] },
  { name: 'what the vendor wants back', titles: ['gives back to its api what that wants back'] },
  {
    name: 'nothing of one vendor to another',
    titles: ['gives to no other api what its own wants back', 'takes the history of another model'],
  },
  {
    name: 'threads of every other api',
    titles: ['goes on with what every other has begun, and with its own'],
  },
  {
    name: 'calls that nobody answered',
    titles: ['answers a call that nobody has answered', 'hands back a failure that says nothing'],
  },
  {
    name: 'any history, any text',
    titles: ['takes any history that core has arranged', 'takes a text with half of a character'],
  },
];
