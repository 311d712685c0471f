import { serveLines, texts, write } from './lines.ts';
import type { LineRequest } from './lines.ts';

// A server of 2025 that asks the person in the middle of its calls.

const inputSchema = { type: 'object' };
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your\u202e name' },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'], default: 'm' },
    count: { type: 'integer', minimum: 1, default: 2 },
    gift: { type: 'boolean' },
  },
  required: ['name'],
};
const questions: Readonly<Record<string, object>> = {
  form: { message: 'Who is it for?', requestedSchema: schema },
  page: { mode: 'url', message: 'Sign in there.', url: 'https://example.com/sign-in?x=1', elicitationId: '1' },
  script: { mode: 'url', message: 'Click.', url: 'javascript:alert(1)', elicitationId: '2' },
};
const prompt = { role: 'user', content: { type: 'text', text: 'Summarise: Ada wrote.' } };
const image = { role: 'user', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } };
const requests: Readonly<Record<string, { readonly method: string; readonly params?: object }>> = {
  roots: { method: 'roots/list' },
  sample: {
    method: 'sampling/createMessage',
    params: { messages: [prompt], systemPrompt: 'Be brief.', maxTokens: 2, includeContext: 'allServers' },
  },
  image: { method: 'sampling/createMessage', params: { messages: [image], maxTokens: 9 } },
};
const waiting = new Map<unknown, unknown>();
let offered: unknown;

serveLines(
  () => [...Object.keys({ ...questions, ...requests }), 'capabilities', 'first'].map((name) => ({ name, inputSchema })),
  (name, { id }) => {
    if (name === 'first' && !waiting.has('first')) {
      waiting.set('first', true);
      const error = { code: -32042, message: 'Visit the page first.', data: { elicitations: [questions['page']] } };
      return write({ id, error });
    }
    if (name === 'first') return write({ id, result: texts('ran') });
    if (name === 'capabilities') return write({ id, result: texts(JSON.stringify(offered)) });
    waiting.set(`q${id}`, id);
    const request = requests[name] ?? { method: 'elicitation/create', params: questions[name] ?? {} };
    write({ id: `q${id}`, ...request });
  },
  {
    began: (capabilities) => (offered = capabilities),
    answered: (answer: LineRequest & { readonly result?: unknown; readonly error?: unknown }) =>
      write({ id: waiting.get(answer.id), result: texts(JSON.stringify(answer.result ?? answer.error)) }),
  },
);
