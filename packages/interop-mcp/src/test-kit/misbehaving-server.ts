import process from 'node:process';
import { createInterface } from 'node:readline';
import { echo, misbehaviours } from './misbehaviours.ts';
import type { Misbehaviour } from './misbehaviours.ts';

// A server over stdio that does one thing wrong. It is written by hand, as no SDK would let it.

const { argv, stdin, stdout, stderr } = process;
const name = argv[2] as keyof typeof misbehaviours;
const wrong: Misbehaviour = misbehaviours[name];

const write = (message: unknown): void => void stdout.write(`${JSON.stringify(message)}\n`);
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: unknown; readonly _meta?: { readonly progressToken?: unknown } };
}

const onCall: Readonly<Record<NonNullable<Misbehaviour['onCall']>, (request: Request) => void>> = {
  nothing: () => undefined,
  exit: () => process.exit(1),
  'half-message': ({ id }) => void stdout.write(`{"jsonrpc":"2.0","id":${id},"res`, () => process.exit(1)),
  'wrong-id': ({ id = 0 }) => write({ jsonrpc: '2.0', id: id + 1_000, result: { content: [] } }),
  'endless-progress': ({ params }) => {
    const { progressToken } = params?.['_meta'] ?? {};
    let progress = 0;
    setInterval(
      () =>
        write({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: ++progress } }),
      20,
    );
  },
  asks: ({ id }) => {
    write({ jsonrpc: '2.0', id: 'question', method: 'sampling/createMessage', params: { messages: [], maxTokens: 9 } });
    answers.set('question', (error) =>
      write({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: JSON.stringify(error) }] } }),
    );
  },
};

const answers = new Map<unknown, (error: unknown) => void>();

function answerTo(request: Request): void {
  const { id, method, params } = request;
  if (id === undefined) return;
  const respond = (result: unknown): void => write({ jsonrpc: '2.0', id, result });
  if (method === 'initialize')
    return respond({
      protocolVersion: '2025-11-25',
      capabilities: wrong.capabilities ?? { tools: { listChanged: true } },
      serverInfo: { name: 'wrong', version: '1' },
    });
  if (method === 'tools/list')
    return respond(wrong.list ?? { tools: wrong.tools ?? [echo, { name: 'good', inputSchema: { type: 'object' } }] });
  if (method !== 'tools/call')
    return write({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  if (wrong.noise !== undefined) stdout.write(wrong.noise);
  if (wrong.onCall !== undefined) return onCall[wrong.onCall](request);
  if (wrong.error !== undefined) return write({ jsonrpc: '2.0', id, error: wrong.error });
  respond('result' in wrong ? wrong.result : { content: [{ type: 'text', text: JSON.stringify(params?.arguments) }] });
  for (let sent = 0; sent < (wrong.changes ?? 0); sent++) write(changed);
}

if (wrong.onStart === 'exit') {
  stderr.write('API_KEY is missing.\n');
  process.exit(1);
}
if (wrong.onStart === 'garbage') stdout.write('<html>\u0000not MCP</html>\n'.repeat(100));

createInterface({ input: stdin })
  .on('line', (line) => {
    if (wrong.onStart !== undefined) return;
    const message = JSON.parse(line) as Request & { readonly error?: unknown };
    const waiting = answers.get(message.id);
    if (waiting !== undefined && message.method === undefined) waiting(message.error);
    else answerTo(message);
  })
  .on('close', () => process.exit(0));
