import { isObject } from '@utensil/core';
import type { Question, QuestionAnswer } from '@utensil/core';
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';
import type { Asking } from './asking.ts';
import { refusal } from './content.ts';
import type { McpServerOptions } from './options.ts';
import type { Sdk } from './sdk.ts';

/** State that a client returns with its answer, authenticated and bound to its principal. */
interface Asked {
  /** Id of the call, the same for each repetition. */
  readonly callId: string;
  /** Includes the tool, its input and its version: an answer to one call is invalid for another. */
  readonly questionId: string;
  /** Id of this answer. */
  readonly nonce: string;
  /** Expiry, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Questions to the clients of a server. */
export interface Questions {
  /** For the SDK: rejects forged, expired and foreign state. */
  readonly verify: RequestStateCodec<Asked>['verify'];
  /** A client's call with its answer, or the reason why the answer is invalid. */
  begin(context: ServerContext): Promise<{ readonly callId: string; readonly asking: Asking } | CallToolResult>;
  /** Asks the client, or returns the reason why it cannot be asked. */
  ask(question: Question, callId: string, at: Asker): Promise<InputRequiredResult | CallToolResult>;
}

/** The client to ask. */
export interface Asker {
  readonly context: ServerContext;
  readonly server: McpServer;
}

/** Value of `principalOf` for callers without a principal. */
const nobody = 'null';

/** Key of the question, reported to clients that cannot ask, and of the answer in its form. */
const field = 'permission';

const decisions: Readonly<Record<string, string>> = {
  once: 'Allow once',
  run: 'Allow until the session ends',
  deny: 'Deny',
};

/** Creates the questions of a server. `principalOf` identifies the sender of a request. */
export function createQuestions(
  { createRequestStateCodec, inputRequired }: Sdk,
  principalOf: (context: ServerContext) => string,
  {
    stateKey = crypto.getRandomValues(new Uint8Array(32)),
    answerTimeMs = 600_000,
    takeOnce = onceInMemory(),
  }: Pick<McpServerOptions, 'stateKey' | 'answerTimeMs' | 'takeOnce'>,
): Questions {
  const codec = createRequestStateCodec<Asked>({
    key: stateKey,
    ttlSeconds: Math.ceil(answerTimeMs / 1_000),
    bind: principalOf,
  });

  /** From revision 2026-07-28 on, the SDK rejects with the protocol's code (-32021). */
  function isAbleToAsk({ context, server }: Asker): boolean {
    if (context.mcpReq.envelope !== undefined) return true;
    const elicitation = server.server.getClientCapabilities()?.elicitation;
    return isObject(elicitation) && ('form' in elicitation || !('url' in elicitation)); // `{}` stands for forms
  }

  /** Over HTTP, a session cannot be attributed to one of several anonymous callers. */
  function decisionsFor(context: ServerContext): readonly string[] {
    const hasSession = context.http === undefined || principalOf(context) !== nobody;
    return Object.keys(decisions).filter((each) => hasSession || each !== 'run');
  }

  return {
    verify: (state, context) => codec.verify(state, context),
    async begin(context) {
      const { mcpReq } = context;
      const asked: Asked | undefined = mcpReq.requestState<Asked>();
      if (asked === undefined) return { callId: crypto.randomUUID(), asking: {} };
      const { callId, questionId, nonce, expiresAt } = asked;
      if (expiresAt <= Date.now())
        // the codec counts whole seconds, and `takeOnce` drops the id at this one
        return refusal('This answer came too late, and the call did not run. Call the tool again.');
      if (!(await takeOnce(nonce, expiresAt)))
        return refusal('This answer was already used, and the call did not run again. Call the tool again.');
      return {
        callId,
        asking: { answer: { questionId, given: answerIn(mcpReq.inputResponses, decisionsFor(context)) } },
      };
    },
    async ask({ id: questionId, name, input, title, reason, answers }, callId, at) {
      if (!isAbleToAsk(at)) return refusal(cannotAsk(name));
      const possible = decisionsFor(at.context).filter((each) => answers?.includes(each) ?? true);
      const state = { callId, questionId, nonce: crypto.randomUUID(), expiresAt: Date.now() + answerTimeMs };
      const lines = [`Allow ${name}?`, title, shown(input), ...(reason === undefined ? [] : [reason])];
      const message = lines.map(plain).join('\n');
      const choice = {
        type: 'string' as const,
        title: 'Permission',
        oneOf: possible.map((each) => ({ const: each, title: decisions[each] ?? each })),
      };
      return inputRequired({
        inputRequests: {
          [field]: inputRequired.elicit({
            message,
            requestedSchema: { type: 'object', properties: { [field]: choice }, required: [field] },
          }),
        },
        requestState: await codec.mint(state, at.context),
      });
    },
  };
}

function cannotAsk(name: string): string {
  return `Tool "${name}" needs a person's permission, and this client cannot ask for it: it has not declared the elicitation capability, or the connection cannot carry questions. It has not run. Use a client with elicitation, or let the server's owner allow the tool.`;
}

/** Clients may send anything: all but a clear yes counts as no. */
function answerIn(
  responses: Readonly<Record<string, unknown>> | undefined,
  possible: readonly string[],
): QuestionAnswer {
  const response = responses?.[field];
  if (!isObject(response) || response['action'] !== 'accept' || !isObject(response['content'])) return 'deny';
  const decision = response['content'][field];
  const isYes = decision === 'once' || decision === 'run';
  return isYes && possible.includes(decision) ? decision : 'deny';
}

/** Invisible characters and bidi controls, which could misrepresent the call. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function plain(line: string): string {
  return line.replace(hidden, (each) => `\\u{${(each.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Maximum characters of an input to show. */
const mostShown = 1_000;

function shown(input: Question['input']): string {
  const text = JSON.stringify(input);
  return text.length <= mostShown ? text : `${text.slice(0, mostShown)}… (${text.length} characters)`;
}

function onceInMemory(): NonNullable<McpServerOptions['takeOnce']> {
  const taken = new Map<string, number>(); // in order of expiry, because all live equally long
  return (id, expiresAt) => {
    for (const [each, until] of taken) {
      if (until > Date.now()) break;
      taken.delete(each);
    }
    if (taken.has(id)) return false;
    taken.set(id, expiresAt);
    return true;
  };
}
