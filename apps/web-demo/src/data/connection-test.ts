import { isUtensilError, UtensilError } from '@utensil/core';
import { addressOf, addressProblem, connectionOf, loadModel } from './model-choice.ts';
import type { ModelChoice } from './model-choice.ts';
import { modelsIn } from './model-listing.ts';
import type { ModelListing } from './model-listing.ts';
import { whyUnread } from './reachability.ts';
import { servers } from './servers.ts';
import type { ServiceServer } from './servers.ts';
import { serviceOf } from './services.ts';
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
 * Asks a service for its models, which costs nothing, and one that has no list for a single token. Throws `invalid_input` with
 * what is wrong and what to do.
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

interface Server extends ServiceServer {
  readonly label: string;
}

function serverOf({ service }: ModelChoice): Server {
  const { label } = serviceOf(service);
  const server = servers[service];
  if (server === undefined) throw failure(`${label}: there is nothing to connect to.`);
  return { label, ...server };
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
  throw failure(`${origin} answers, but not with a list of models as ${label} does. ${help.find}`);
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
  if (status === 401 || status === 403) {
    return hasKey
      ? `${label} does not accept your API key (status ${status}). Save another one, or see with the service what this one may be used for.`
      : `${label} asks for an API key (status ${status}). Save one for this address, then test again.`;
  }
  if (status === 429)
    return `${label} allows no more requests at the moment (status 429). Wait a little, then test again.`;
  if (status >= 500) return `${label} fails at the moment (status ${status}). Test again later, or see its log.`;
  const { origin, pathname } = new URL(url);
  return `${origin} answers, but has no list of models at ${pathname} (status ${status}). ${help.find}`;
}

function redirected(choice: ModelChoice): string {
  const { label, list } = serverOf(choice);
  const { origin } = new URL(list.url(addressOf(choice) ?? ''));
  return `${label} at ${origin} redirects to another address, and your key is not sent there. If you trust that address, enter it instead.`;
}

function tooLate(choice: ModelChoice): string {
  const { label, help } = serverOf(choice);
  const address = addressOf(choice);
  const place = address === undefined ? label : new URL(address).origin;
  return `${place} gave no answer within ${patience / 1000} seconds. ${help.start(false)}`;
}

function failure(text: string, cause?: unknown): UtensilError {
  return new UtensilError('invalid_input', text, cause === undefined ? {} : { cause });
}
