import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import spawn from 'cross-spawn'; // finds `npx` on Windows too
import type { McpCommand } from '../client/config.ts';
import type { McpTransport } from '../client/server.ts';
import { endGroup, endWithProcess, ownGroup } from './process-group.ts';

/** Number of characters to keep of a server's error output. */
const mostSaid = 8_192;

/** Transport over the standard streams of a program. The program starts when the transport starts. */
export function stdioTransport({ command, args = [], env, cwd }: McpCommand, maxMessageBytes: number): McpTransport {
  const buffer = new ReadBuffer({ maxBufferSize: Infinity });
  let child: ChildProcessWithoutNullStreams | undefined;
  let said = '';
  let ending: Promise<void> | undefined;

  let begun: Buffer[] = [];
  let length = 0;

  /** The SDK's buffer copies and scans everything with each chunk, so it gets whole lines. */
  function receive(chunk: Buffer): void {
    const first = chunk.indexOf('\n');
    length += first === -1 ? chunk.length : first;
    if (length > maxMessageBytes) {
      begun = [];
      transport.onerror?.(new Error(`The server sent a message of more than ${maxMessageBytes} bytes.`));
      return void transport.close(); // the rest cannot be separated from the next message
    }
    if (first === -1) return void begun.push(chunk);
    const end = chunk.lastIndexOf('\n') + 1;
    const lines = Buffer.concat([...begun, chunk.subarray(0, end)]);
    begun = [chunk.subarray(end)];
    length = chunk.length - end;
    take(lines);
  }

  function take(lines: Buffer): void {
    buffer.append(lines);
    while (true) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        transport.onmessage?.(message as never);
      } catch (error) {
        transport.onerror?.(error as Error); // a line that is not a message
      }
    }
  }

  function end(): Promise<void> {
    if (child === undefined) return Promise.resolve();
    ending ??= endGroup(child).then(() => {
      buffer.clear();
      transport.onclose?.();
    });
    return ending;
  }

  const transport: McpTransport = {
    start: () =>
      new Promise((resolve, reject) => {
        assertPassable([command, ...args, cwd, ...Object.entries(env ?? {})].flat());
        assertNames(Object.keys(env ?? {}));
        const started = spawn(command, args, {
          env: { ...getDefaultEnvironment(), ...env },
          stdio: ['pipe', 'pipe', 'pipe'],
          ...ownGroup,
          ...(cwd !== undefined && { cwd }),
        }) as ChildProcessWithoutNullStreams;
        child = started;
        endWithProcess(started);
        started.on('error', (error) => reject(notStarted(error, command)));
        started.on('spawn', resolve);
        started.on('exit', () => void setTimeout(() => void end(), 100)); // its last output may still arrive
        started.on('close', () => void end());
        started.stdout.on('data', receive);
        started.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-mostSaid)));
        for (const stream of [started.stdin, started.stdout, started.stderr])
          stream.on('error', (error) => transport.onerror?.(error));
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        if (child === undefined || ending !== undefined || !child.stdin.writable)
          return reject(new Error('the server has ended'));
        child.stdin.write(serializeMessage(message as never), (error) => (error ? reject(error) : resolve()));
      }),
    close: end,
    said: () => said.trim(),
  };
  return transport;
}

/** Node.js would repeat the text in its error, and it may be a secret. */
function assertPassable(texts: readonly (string | undefined)[]): void {
  if (texts.some((text) => text?.includes('\u0000')))
    throw new Error('its command, arguments, variables or directory have a NUL character, which no process takes');
}

/** A process would get `A=B` with the value `c` as the variable `A` with the value `B=c`. */
function assertNames(names: readonly string[]): void {
  if (names.some((name) => name === '' || name.includes('=')))
    throw new Error('one of its variables has no name, or a name with =');
}

function notStarted(error: Error & { readonly code?: string }, command: string): Error {
  if (error.code !== 'ENOENT') return error;
  return new Error(`there is no command "${command}": use an absolute path, or a PATH in \`env\` that has it`, {
    cause: error,
  });
}
