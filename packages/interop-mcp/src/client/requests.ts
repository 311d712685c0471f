import type { Client } from '@modelcontextprotocol/client';
import type { OngoingCalls } from './ongoing-calls.ts';
import type { McpSourceOptions } from './options.ts';
import { mostQuestions, questionOf, resultOf } from './questions.ts';
import { rootsOf } from './roots.ts';
import { sample } from './sampling.ts';

/** Capabilities to declare: those that the app offers. */
export function capabilitiesOf({ ask, sampling, roots }: McpSourceOptions) {
  return {
    ...(ask && { elicitation: { form: {}, url: {} } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

/** The server that asks, its calls under way, and a function that is called with a problem. */
interface AnswerContext {
  readonly server: string;
  readonly calls: OngoingCalls;
  tell(problem: string): void;
}

/** Answers servers of revisions before 2026-07-28, which send requests over the connection during a call. */
export function answerDirectly(
  client: Client,
  options: McpSourceOptions,
  { server, calls, tell }: AnswerContext,
): void {
  const { ask, sampling, roots } = options;
  if (ask !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
      const call = [...calls.all].find(({ asked }) => asked < mostQuestions);
      const question = call === undefined ? { refused: 'no call waits for it.' } : questionOf(params, server);
      if ('refused' in question) {
        tell(`${server} asked a question that nobody is shown: ${question.refused}`);
        return { action: 'decline' };
      }
      if (call !== undefined) call.asked++;
      const answer = await ask(question, { signal: AbortSignal.any([signal, calls.over]), isParked: false });
      return answer === 'later' ? { action: 'cancel' } : ((await resultOf(question, answer)) as never);
    });
  if (roots !== undefined) client.setRequestHandler('roots/list', async () => ({ roots: [...(await rootsOf(roots))] }));
  if (sampling !== undefined)
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      const [call, other] = calls.all;
      if (call === undefined || other !== undefined)
        throw new Error('It cannot be told which call the request is for.');
      return (await sample(params, sampling, { server, call })) as never;
    });
}
