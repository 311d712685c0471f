import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';

/** A third-party server: `@copilotkit/aimock`, which answers from fixtures over each vendor's API. */
export interface ForeignServer extends AsyncDisposable {
  readonly mock: LLMock;
  /** `http://127.0.0.1:…` */
  readonly url: string;
}

/** Starts one on a free port of 127.0.0.1. Texts and arguments are streamed in pieces of five characters. */
export async function foreignServer(): Promise<ForeignServer> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 5 });
  const url = await mock.start();
  return { mock, url, [Symbol.asyncDispose]: () => mock.stop() };
}

/** Received requests, in the common form to which it converts those of all vendors. */
export function requestsOf(mock: LLMock): readonly ChatCompletionRequest[] {
  return mock.getRequests().map(({ body }) => body as ChatCompletionRequest);
}
