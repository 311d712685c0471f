import { isUtensilError, UtensilError } from '@utensil/core';
import { connectionTexts } from '../texts/connection-texts.ts';
import type { englishConnections } from '../texts/connections.ts';
import { addressOf, addressProblem, connectionOf, loadModel } from './model-choice.ts';
import type { ModelChoice } from './model-choice.ts';
import { modelsIn } from './model-listing.ts';
import type { ModelListing } from './model-listing.ts';
import { whyUnread } from './reachability.ts';
import { servers } from './servers.ts';
import type { ServiceServer } from './servers.ts';
import { labelOf } from './services.ts';
import type { Vault } from './vault.ts';

/** The result of a test: the service's models, or undefined if it has no list but its model answers. */
export interface Connected {
  readonly models: readonly string[] | undefined;
}

interface TestOptions {
  readonly vault: Vault;
  readonly signal: AbortSignal;
}

const patience = 15_000;
const maximumBytes = 8 * 1024 * 1024;

/**
 * Asks a service for its models, which costs nothing, or a service without a list for a single token. Throws
 * `invalid_input` with the problem and its remedy.
 */
export async function testConnection(choice: ModelChoice, { vault, signal }: TestOptions): Promise<Connected> {
  const { list } = serverOf(choice);
  const connection = await connectionOf(choice, vault);
  const { apiKey, address = '' } = connection;
  const url = list.url(address);
  const timeout = AbortSignal.timeout(patience);
  try {
    const response = await fetch(url, {
      headers: apiKey === undefined ? {} : list.headers(apiKey),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'manual', // not every browser keeps every key from where it leads to
      signal: AbortSignal.any([signal, timeout]),
    });
    if (response.type === 'opaqueredirect') throw failure(redirected(choice));
    if (list.isOptional === true && [404, 405].includes(response.status))
      return await askOnce(choice, { vault, signal });
    if (!response.ok) throw failure(refusal(response, { choice, hasKey: apiKey !== undefined }));
    return { models: await readModels(response, { list, choice }) };
  } catch (cause) {
    signal.throwIfAborted();
    if (isUtensilError(cause)) throw cause;
    throw failure(timeout.aborted ? tooLate(choice) : await whyUnreachable(choice, signal), cause);
  }
}

/** The reason that the service of a choice cannot be reached, with what to do. */
export async function whyUnreachable(choice: ModelChoice, signal?: AbortSignal): Promise<string> {
  const { label, list, help } = serverOf(choice);
  const address = addressOf(choice) ?? '';
  const url = list.url(address);
  return URL.canParse(url) ? whyUnread({ url, label, help }, signal) : (addressProblem(address) ?? '');
}

interface Server extends Omit<ServiceServer, 'help'> {
  readonly label: string;
  readonly help: (typeof englishConnections)['serverHelp'][ServiceServer['help']];
}

function serverOf({ service }: ModelChoice): Server {
  const { connection, serverHelp } = connectionTexts();
  const label = labelOf(service);
  const server = servers[service];
  if (server === undefined) throw failure(connection.noServer(label));
  return { label, list: server.list, help: serverHelp[server.help] };
}

async function askOnce(choice: ModelChoice, { vault, signal }: TestOptions): Promise<Connected> {
  const model = await loadModel(choice, vault);
  const messages = [{ id: 'test', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 } as const];
  const request = { system: '', messages, tools: [], toolChoice: 'none', maxOutputTokens: 1 } as const;
  for await (const _ of model.stream(request, { signal })) break;
  return { models: undefined };
}

async function readModels(
  response: Response,
  { list, choice }: { readonly list: ModelListing; readonly choice: ModelChoice },
): Promise<readonly string[]> {
  const models = modelsIn(parsed(await textOf(response)), list);
  if (models !== undefined) return models;
  const { label, help } = serverOf(choice);
  const { origin } = new URL(response.url);
  throw failure(connectionTexts().connection.noList(origin, label, help.find));
}

/** The text of an answer, or an empty one if it is far larger than any list of models. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maximumBytes) return '';
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refusal(
  { status, url }: Response,
  { choice, hasKey }: { readonly choice: ModelChoice; readonly hasKey: boolean },
): string {
  const { label, help } = serverOf(choice);
  const { connection: texts } = connectionTexts();
  if (status === 401 || status === 403)
    return hasKey ? texts.keyRejected(label, status) : texts.keyNeeded(label, status);
  if (status === 429) return texts.rateLimited(label);
  if (status >= 500) return texts.failing(label, status);
  const { origin, pathname } = new URL(url);
  return texts.noListAt(origin + pathname, status, help.find);
}

function redirected(choice: ModelChoice): string {
  const { label, list } = serverOf(choice);
  const { origin } = new URL(list.url(addressOf(choice) ?? ''));
  return connectionTexts().connection.redirected(label, origin);
}

function tooLate(choice: ModelChoice): string {
  const { label, help } = serverOf(choice);
  const address = addressOf(choice);
  const place = address === undefined ? label : new URL(address).origin;
  return connectionTexts().connection.timedOut(place, patience / 1000, help.startThere);
}

function failure(text: string, cause?: unknown): UtensilError {
  return new UtensilError('invalid_input', text, cause === undefined ? {} : { cause });
}
