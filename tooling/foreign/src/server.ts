import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';

/** The server of somebody else's: `@copilotkit/aimock`, which answers what its fixtures say over each vendor's API. */
export interface ForeignServer extends AsyncDisposable {
  readonly mock: LLMock;
  /** `http://127.0.0.1:…` */
  readonly url: string;
}

/** Starts one on a free port of 127.0.0.1. Texts and arguments come in pieces of five characters. */
export async function foreignServer(): Promise<ForeignServer> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 5 });
  const url = await mock.start();
  return { mock, url, [Symbol.asyncDispose]: () => mock.stop() };
}

/** What it was sent, in the one form into which it brings the requests of all vendors. */
export function requestsOf(mock: LLMock): readonly ChatCompletionRequest[] {
  return mock.getRequests().map(({ body }) => body as ChatCompletionRequest);
}
