import process from 'node:process';
import { createInterface } from 'node:readline';

// The least that a server over stdio is made of, for programs of tests.

export interface LineRequest {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: unknown; readonly capabilities?: unknown };
}

/** Writes messages at once. */
export const write = (...messages: readonly object[]): void =>
  void process.stdout.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));

interface LineListeners {
  /** Answers a request for the tools. Default: at once. */
  readonly listed?: (request: LineRequest) => void;
  /** Called with each notification. */
  readonly notice?: (method: string) => void;
  /** Called with the capabilities of the client. */
  readonly began?: (capabilities: unknown) => void;
  /** Called with answers to requests of the server. */
  readonly answered?: (answer: LineRequest) => void;
}

/** Passes calls to `call`, and lists the tools of `tools`. Ends with its input. */
export function serveLines(
  tools: () => readonly object[],
  call: (name: string, request: LineRequest) => void,
  { notice, answered, began, listed = ({ id }) => write({ id, result: { tools: tools() } }) }: LineListeners = {},
): void {
  const serverInfo = { name: 'lines', version: '1' };
  const capabilities = { tools: { listChanged: true } };
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const request = JSON.parse(line) as LineRequest;
      const { id, method, params } = request;
      if (method === undefined) answered?.(request);
      else if (method === 'initialize') {
        began?.(params?.capabilities);
        write({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo } });
      } else if (method === 'tools/list') listed(request);
      else if (method === 'tools/call') call(params?.name ?? '', request);
      else if (id === undefined) notice?.(method);
      else write({ id, error: { code: -32601, message: 'Method not found' } });
    })
    .on('close', () => process.exit(0));
}

/** A result with a text. */
export const texts = (text: string): object => ({ content: [{ type: 'text', text }] });
