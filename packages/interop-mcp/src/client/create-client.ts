import { Client } from '@modelcontextprotocol/client';
import { tolerate } from './admit-answers.ts';
import type { OngoingCalls } from './ongoing-calls.ts';
import type { McpSourceOptions } from './options.ts';
import { answerDirectly, capabilitiesOf } from './requests.ts';
import type { McpEra, McpTransport } from './server.ts';

/** A client to create. */
export interface ClientSetup {
  readonly options: McpSourceOptions;
  readonly era: McpEra;
  readonly calls: OngoingCalls;
  /** Name of the server, for people; its own once it is known. */
  named(): string;
  /** Called if the server says that its tools have changed. */
  changed(): void;
  /** Called with a problem, for the app. */
  tell(problem: string): void;
}

/** Creates the SDK's client for a transport. Messages of the server are normalized first; its requests are answered. */
export function createClient(
  transport: McpTransport,
  { options, era, calls, named, changed, tell }: ClientSetup,
): Client {
  const { clientInfo = { name: 'utensil', version: '0' } } = options;
  tolerate(transport, (problem) => tell(`${named()}: ${problem}`));
  const client = new Client(clientInfo, {
    capabilities: capabilitiesOf(options),
    inputRequired: { autoFulfill: false },
    versionNegotiation: { mode: modeOf(era) },
    jsonSchemaValidator: {
      getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
    }, // core validates
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: changed } },
  });
  answerDirectly(client, options, { server: named(), calls, tell });
  return client;
}

function modeOf(era: McpEra): 'legacy' | 'auto' | { pin: string } {
  return era === 'modern' ? { pin: '2026-07-28' } : era;
}
