import { arrangeHistory } from '../model/arrangement.ts';
import { messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ContentPart, Message } from '../model/message.ts';
import type { ModelRequest, ToolChoice } from '../model/model.ts';
import { ignoredSettings } from '../model/request-settings.ts';
import { assert, assertEqual } from './assert.ts';
import type { StreamedAnswer } from './model-answer.ts';
import { assertDifferent, assertSaid, done, exchange } from './model-exchange.ts';
import { randomHistory } from './model-history.ts';
import { call, messageFrom, read, readWell, reasoning, requestOf, resultOf, text, tool, user } from './model-kit.ts';
import type { ModelCase } from './model-kit.ts';
import { image, picture, settingsTried, unusualNames, unusualSchemas } from './model-request-samples.ts';
import { callsIn } from './model-stream-cases.ts';

/** Number of random threads to try. */
const histories = 40;

/** Requests to the vendor. The server refuses everything that the vendor would. */
export const requestCases = {
  'sends the instructions and the messages': async (open) => {
    const stage = await open([done]);
    await readWell(stage.model, requestOf({ system: 'Be kind to Ada.', messages: [user('What is new?')] }));
    for (const said of ['Be kind to Ada.', 'What is new?', 'Does read.']) assertSaid(stage, said);
    assertEqual(stage.toolNames(), ['now', 'read'], 'the tools');
  },

  'sends the same request as the same bytes': async (open) => {
    const stage = await open([done, done]);
    const copy = (): ModelRequest => JSON.parse(JSON.stringify(requestOf())) as ModelRequest;
    await readWell(stage.model, copy());
    await readWell(stage.model, copy());
    const [first, second] = stage.requests.map((request) => JSON.stringify(request));
    assert(first === second, `the second request is another:\n${first}\n${second}`);
  },

  'sends a request without tools and instructions': async (open) => {
    const stage = await open([done]);
    await readWell(stage.model, requestOf({ system: '', tools: [] }));
    assertEqual(stage.toolNames(), [], 'the tools');
  },

  'adapts names that the vendor does not accept, and restores them in calls': async (open, toolNames) => {
    const callAll = (request: unknown): StreamedAnswer => ({
      blocks: toolNames(request).map((name) => call(name, '{"path":', '"a"}')),
    });
    const stage = await open([callAll, done]);
    const request = requestOf({ tools: unusualNames.map((name) => tool(name, { path: { type: 'string' } })) });
    const parts = await readWell(stage.model, request);
    assertEqual(new Set(stage.toolNames()).size, unusualNames.length, 'the number of different names');
    assertEqual(
      callsIn(parts).map(({ name }) => name),
      unusualNames,
      'the names of the calls',
    );
    const begun = parts.flatMap((part) => (part.type === 'tool-input-start' ? [part.name] : []));
    assertEqual(begun, unusualNames, 'the names under which the calls were begun');
    const declared = stage.toolNames();
    const answered = callsIn(parts).map((made) => resultOf(made, { modelParts: [{ type: 'text', text: 'Read.' }] }));
    await readWell(stage.model, {
      ...request,
      messages: [...request.messages, messageFrom(stage.model, parts), ...answered],
    });
    const history = JSON.stringify(stage.requests.at(-1));
    for (const name of declared) assert(history.split(`"${name}"`).length > 2, `the call of ${name} has another name`);
  },

  'forces a tool by the name that the vendor knows': async (open) => {
    const stage = await open([done]);
    const [name = ''] = unusualNames;
    await readWell(stage.model, requestOf({ tools: [tool(name, {})], toolChoice: { tool: name } }));
    const [wire = ''] = stage.toolNames();
    assert(JSON.stringify(stage.requests[0]).split(`"${wire}"`).length > 2, `${wire} is declared, but not forced`);
  },

  'declares a hundred tools': async (open) => {
    const stage = await open([done]);
    const names = Array.from({ length: 100 }, (_, index) => `tool_${String(index).padStart(3, '0')}`);
    await readWell(stage.model, requestOf({ tools: names.map((name) => tool(name, { path: { type: 'string' } })) }));
    assertEqual(stage.toolNames(), names, 'the tools');
  },

  'declares tools with unusual schemas': async (open) => {
    const stage = await open([done]);
    const unusual = unusualSchemas.map((inputSchema, index) => ({ ...tool(`tool_${index}`, {}), inputSchema }));
    await readWell(stage.model, requestOf({ tools: unusual }));
    assertEqual(stage.toolNames().length, unusual.length, 'the number of tools');
  },

  'describes the forms of an input that is one of several objects': async (open) => {
    const stage = await open([done]);
    const form = (action: string, field: string, description: string) =>
      ({
        type: 'object',
        description,
        properties: { action: { const: action }, [field]: { type: 'string' } },
        required: ['action', field],
      }) as const;
    const forms = [form('view', 'page', 'Shows a page.'), form('write', 'content', 'Fills a page.')];
    const union = { ...tool('pages', {}), inputSchema: { type: 'object', oneOf: forms } };
    await readWell(stage.model, requestOf({ tools: [union] }));
    for (const said of ['view', 'page', 'Shows a page.', 'write', 'content', 'Fills a page.']) assertSaid(stage, said);
  },

  'sends the settings that it declares, and no others': async (open) => {
    const tried = settingsTried.map((settings) => ({ ...settings, reasoning: 'none' as const }));
    const stage = await open([done, ...tried.map(() => done)]);
    await readWell(stage.model, requestOf({ reasoning: 'none' }));
    for (const settings of tried) await readWell(stage.model, requestOf(settings));
    const [plain, ...bodies] = stage.requests.map((request) => JSON.stringify(request));
    for (const [index, settings] of tried.entries()) {
      const isIgnored = ignoredSettings(settings, stage.model.info.supports?.settings).length > 0;
      const said = JSON.stringify(settings);
      if (isIgnored) assertEqual(bodies[index], plain, `the body of a request with ${said}, which it does not take`);
      else assert(bodies[index] !== plain, `it says that it takes ${said}, and does not send it`);
    }
  },

  'merges provider options into the request, and prefers them': async (open) => {
    const stage = await open([done, done]);
    const request = requestOf({ maxOutputTokens: 4321 });
    await readWell(stage.model, request);
    const [plain] = stage.requests;
    const path = pathTo(plain, 4321);
    assert(path !== undefined, `no member of the request is the limit of 4321 tokens: ${JSON.stringify(plain)}`);
    await readWell(stage.model, { ...request, providerOptions: path.reduceRight<Json>(within, 1234) as JsonObject });
    const [, merged] = stage.requests;
    const expected = JSON.parse(JSON.stringify(plain).replace('4321', '1234')) as unknown;
    assertEqual(merged, expected, `the request with another ${path.join('.')}`);
  },

  'sends the tool choice': async (open) => {
    const choices: readonly ToolChoice[] = ['auto', 'none', 'required', { tool: 'read' }, { tool: 'now' }];
    const stage = await open(choices.map(() => done));
    for (const toolChoice of choices) await readWell(stage.model, requestOf({ toolChoice }));
    assertDifferent(stage);
  },

  'limits a turn to one call': async (open) => {
    const stage = await open([done, done]);
    await readWell(stage.model);
    await readWell(stage.model, requestOf({ parallel: false }));
    assertDifferent(stage);
  },

  'sends the results of all calls': async (open) => {
    const asked = [call('read', '{"path":', '"a"}'), call('now'), call('read', '{"path":"c"}')];
    const { stage, history } = await exchange(open, {
      blocks: [reasoning('Hm.', ' Look.'), text('I ', 'look.'), ...asked],
    });
    const answers = [
      { modelParts: [{ type: 'text', text: 'Tool execution failed: no such file a.' }], isError: true },
      { modelParts: [{ type: 'text', text: '' }] },
      {
        modelParts: [{ type: 'text', text: 'A picture of c.' }, picture],
      },
    ] as const;
    const results = callsIn(history.parts).map((made, index) => resultOf(made, answers[index] ?? {}));
    await readWell(
      stage.model,
      requestOf({ messages: [user('Hello.'), history.message, ...results, user('And now?')] }),
    );
    for (const said of ['no such file a.', 'A picture of c.', 'And now?', 'I look.']) assertSaid(stage, said);
  },

  'sends a picture by the user': async (open) => {
    const stage = await open([done]);
    const asked: Message = { ...user(''), parts: [{ type: 'text', text: 'What is this?' }, picture] };
    await readWell(stage.model, requestOf({ messages: [asked] }));
    for (const said of ['What is this?', image]) assertSaid(stage, said);
  },

  'sends a picture that a tool returned': async (open) => {
    const { stage, history } = await exchange(open, { blocks: [call('read', '{"path":"c"}'), call('now')] });
    const words: ContentPart = { type: 'text', text: 'A picture of c.' };
    const results = callsIn(history.parts).map((made, index) =>
      resultOf(made, { modelParts: index === 0 ? [words, picture] : [{ type: 'text', text: 'It is noon.' }] }),
    );
    await readWell(stage.model, requestOf({ messages: [user('Hello.'), history.message, ...results] }));
    for (const said of ['A picture of c.', 'It is noon.', image]) assertSaid(stage, said);
  },

  'sends a failure without text': async (open) => {
    const { stage, history } = await exchange(open, { blocks: [call('now')] });
    const results = callsIn(history.parts).map((made) =>
      resultOf(made, { modelParts: [{ type: 'text', text: '' }], isError: true }),
    );
    await readWell(stage.model, requestOf({ messages: [user('Hello.'), history.message, ...results] }));
    assertEqual(stage.requests.length, 2, 'the requests');
  },

  'tells a failed result from a successful one': async (open) => {
    const { stage, history } = await exchange(open, { blocks: [call('now')] }, 2);
    for (const isError of [false, true]) {
      const results = callsIn(history.parts).map((made) =>
        resultOf(made, { modelParts: [{ type: 'text', text: 'The clock is gone.' }], isError }),
      );
      await readWell(stage.model, requestOf({ messages: [user('Hello.'), history.message, ...results] }));
    }
    assertDifferent(stage);
  },

  'sends a call by a name that the vendor does not accept': async (open) => {
    const asked = [call('files.list'), call('list files', '{"path":', '"a"}')];
    const { stage, history } = await exchange(open, { blocks: [reasoning('Hm', '.'), ...asked], state: 'c3RhdGU=' });
    const made = callsIn(history.parts);
    const results = made.map((each) => resultOf(each, { modelParts: [{ type: 'text', text: `No ${each.name}.` }] }));
    await readWell(stage.model, requestOf({ messages: [user('Hello.'), history.message, ...results] }));
    for (const said of ['No files.list.', 'No list files.']) assertSaid(stage, said);
  },

  'sends a result for a call that has none': async (open) => {
    const { stage, history } = await exchange(open, { blocks: [call('now'), call('read', '{"path":"b"}')] });
    const [first] = callsIn(history.parts);
    assert(first !== undefined, 'there was no call');
    const answer = resultOf(first, { modelParts: [{ type: 'text', text: 'It is noon.' }] });
    const messages = arrangeHistory([user('Hello.'), history.message, answer, user('Go on.')]);
    await readWell(stage.model, requestOf({ messages }));
    for (const said of ['It is noon.', 'This call has no result', 'Go on.']) assertSaid(stage, said);
  },

  'sends a call whose arguments are not JSON': async (open) => {
    const made = { type: 'tool-call', callId: 'call_1', name: 'read', input: {}, executedBy: 'us' } as const;
    const answer = resultOf(made, { modelParts: [{ type: 'text', text: 'That is not JSON.' }], isError: true });
    const broken: Message = { ...written(), parts: [{ ...made, invalidInput: '{"path": oops' }] };
    const stage = await open([done]);
    await readWell(stage.model, requestOf({ messages: [user('Hello.'), broken, answer] }));
    assertSaid(stage, 'That is not JSON.');
  },

  'sends provider data back to its own API': async (open) => {
    const state = 'b3BhcXVlLXN0YXRlLW9mLXRoZS12ZW5kb3I=';
    const { stage, history } = await exchange(open, { blocks: [reasoning('Hm', '.'), call('now')], state });
    const messages = arrangeHistory([user('Hello.'), history.message]);
    await readWell(stage.model, requestOf({ messages }));
    assertSaid(stage, state);
  },

  'sends provider data to no other API': async (open) => {
    const state = 'b3BhcXVlLXN0YXRlLW9mLXRoZS12ZW5kb3I=';
    const { stage, history } = await exchange(open, { blocks: [reasoning('Hm', '.'), call('now')], state });
    const origin = { ...history.message.origin, api: 'another-api', model: 'another-model' };
    const messages = arrangeHistory([user('Hello.'), { ...history.message, origin }]);
    await readWell(stage.model, requestOf({ messages }));
    assert(!JSON.stringify(stage.requests.at(-1)).includes(state), 'another api was given what is not its own');
  },

  'accepts the history of another model': async (open) => {
    const made = {
      type: 'tool-call',
      callId: `functions.read:0|fc_${'0123456789abcdef'.repeat(8)}`,
      name: 'read',
      input: { path: 'a' },
      executedBy: 'us',
    } as const;
    const other = { ...made, callId: `${made.callId.slice(0, -1)}0`, name: 'a tool. that is gone' };
    const parts: Message['parts'] = [
      { type: 'reasoning', text: 'Let me see.' },
      { type: 'text', text: 'I look.' },
      made,
      other,
    ];
    const state = { blocks: [{ id: 'secret-of-another-api' }] };
    const turn: Message = { ...written(), parts, origin: { api: 'another-api', model: 'another-model', state } };
    const results = [made, other].map((each) => resultOf(each, { modelParts: [{ type: 'text', text: 'Found.' }] }));
    const stage = await open([done]);
    await readWell(stage.model, requestOf({ messages: [user('Hello.'), turn, ...results, user('Go on.')] }));
    for (const said of ['I look.', 'Found.', 'Go on.']) assertSaid(stage, said);
    assert(!JSON.stringify(stage.requests).includes('secret-of-another-api'), 'the state of another api was sent');
  },

  'accepts any history that core has arranged': async (open) => {
    const asked = [reasoning('Hm', '.'), call('now'), call('read', '{"path":', '"a"}')];
    const { stage, history } = await exchange(open, { blocks: asked, state: 'c3RhdGU=' }, histories);
    for (let seed = 1; seed <= histories; seed++) {
      const messages = arrangeHistory(randomHistory(seed, history.message));
      const { error } = await read(stage.model, requestOf({ messages }));
      assert(error === undefined, `${messageOf(error)} The messages were ${JSON.stringify(messages)}.`);
    }
  },

  'accepts a text with half of a surrogate pair': async (open) => {
    const stage = await open([done]);
    await readWell(stage.model, requestOf({ system: 'Cut \ud83d', messages: [user('here: \ud83d')] }));
    assert(!/\\ud[89a-f]/.test(JSON.stringify(stage.requests)), 'half of a surrogate pair was sent');
  },

  'accepts arguments with half of a surrogate pair': async (open) => {
    const stage = await open([done]);
    const input = { path: 'cut \ud83d' };
    const made = { type: 'tool-call', callId: 'call_1', name: 'read', input, executedBy: 'us' } as const;
    const answer = resultOf(made, { modelParts: [{ type: 'text', text: 'No such file.' }] });
    await readWell(stage.model, requestOf({ messages: [user('Read.'), { ...written(), parts: [made] }, answer] }));
    const sent = JSON.stringify(stage.requests);
    assert(!/\\ud[89a-f]/.test(sent), 'half of a surrogate pair was sent in the arguments, which may be JSON in JSON');
  },
} satisfies Readonly<Record<string, ModelCase>>;

/** Names of the members that lead to a value. */
function pathTo(place: unknown, value: number): readonly string[] | undefined {
  if (place === value) return [];
  if (!isObject(place)) return undefined;
  for (const [name, member] of Object.entries(place)) {
    const path = pathTo(member, value);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}

function within(inner: Json, name: string): Json {
  return { [name]: inner };
}

function written(): Message {
  return { id: 'written', role: 'assistant', parts: [], createdAt: 0 };
}
