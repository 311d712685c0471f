import { isObject, UtensilError } from '@utensil/core';
import type { Model, RecordStore } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import { readOnce } from './mending.ts';
import { labelOf, serviceOf, services } from './services.ts';
import type { Vault } from './vault.ts';

/** Settings of one service. */
export interface ServiceSettings {
  readonly model: string;
  /** Address of the service, unless it is the usual one. */
  readonly address?: string;
}

/** The selected model with the settings of its service. */
export interface ModelChoice extends ServiceSettings {
  readonly service: string;
}

/** The selected service of a project, and the settings of every service used there. */
export interface ModelSettings {
  readonly service: string;
  readonly services: Readonly<Record<string, ServiceSettings>>;
}

/** Needs neither key nor network. */
export const firstSettings: ModelSettings = { service: 'offline', services: {} };

const record = ['model'];
const lastRecord = ['last-model'];

/** Writes of this tab that are under way, by the records that they go to. They never reject. */
const underWay = new WeakMap<RecordStore, Promise<void>>();

/**
 * Settings of a project, after the changes that this tab has begun: a message sent right after one must not go to the
 * former service. Throws once if they cannot be read, and returns the defaults from then on.
 */
export async function readSettings(records: RecordStore): Promise<ModelSettings> {
  await underWay.get(records);
  return settingsFrom((await readOnce(records, record, currentTexts().models.damaged))?.value);
}

/** Stores the settings of a project, and remembers them as defaults for the next new project. */
export async function writeSettings(
  { records, app }: { readonly records: RecordStore; readonly app: RecordStore },
  { service, services }: ModelSettings,
): Promise<void> {
  const value = {
    service,
    services: Object.fromEntries(Object.entries(services).map(([id, own]) => [id, { ...own }])),
  };
  const written = (async () => {
    await records.put(record, value); // puts of a record are made in the order of the calls
    await app.put(lastRecord, value);
  })();
  for (const each of [records, app]) {
    const all = Promise.allSettled([underWay.get(each), written]).then(() => undefined);
    underWay.set(each, all);
  }
  await written;
}

/** Gives a new project the settings stored last in any project. API keys are not part of them. */
export async function takeLastSettings(records: RecordStore, app: RecordStore): Promise<void> {
  await underWay.get(app);
  const last = await app.get(lastRecord).catch(() => undefined); // a damaged record must not prevent a new project
  if (last !== undefined) await records.put(record, last.value);
}

/** Parses stored settings of any version, including the single choice of older ones. */
export function settingsFrom(value: unknown): ModelSettings {
  if (!isObject(value) || !isService(value['service'])) return firstSettings;
  const { service } = value;
  if (!isObject(value['services'])) return { service, services: isSettings(value) ? { [service]: ownOf(value) } : {} };
  const known = Object.entries(value['services']).flatMap(([id, own]) =>
    isService(id) && isSettings(own) ? [[id, ownOf(own)] as const] : [],
  );
  return { service, services: Object.fromEntries(known) };
}

function isService(id: unknown): id is string {
  return services.some((service) => service.id === id);
}

function isSettings(value: unknown): value is ServiceSettings {
  if (!isObject(value) || typeof value['model'] !== 'string') return false;
  return value['address'] === undefined || typeof value['address'] === 'string';
}

function ownOf({ model, address }: ServiceSettings): ServiceSettings {
  return { model, ...(address !== undefined && { address }) };
}

/** The selected model; for a service without settings, its first suggestion. */
export function choiceOf({ service, services }: ModelSettings): ModelChoice {
  const own = Object.hasOwn(services, service) ? services[service] : undefined;
  return { service, ...(own ?? { model: serviceOf(service).models[0] ?? '' }) };
}

/** Display name of the model: the service's if the model has none. */
export function modelName(choice: ModelChoice): string {
  return ownModelName(choice) ?? labelOf(choice.service);
}

/** Name of the model; undefined if it has none, as on a server with a single model. */
export function ownModelName({ service, model }: ModelChoice): string | undefined {
  const { models, unnamedModel } = serviceOf(service);
  return model === '' || model === unnamedModel || models.length === 0 ? undefined : model;
}

/** True if the service only understands commands. */
export function understandsCommandsOnly({ service }: ModelChoice): boolean {
  return serviceOf(service).commandsOnly === true;
}

/** Address for requests, if the service has no fixed one. */
export function addressOf({ service, address }: ModelChoice): string | undefined {
  const { address: usual } = serviceOf(service);
  return usual === undefined ? undefined : address || usual;
}

/**
 * Name of the key in the vault. It includes the address if that is not fixed, so that the key is never sent to another
 * server.
 */
export function keyName(choice: ModelChoice): string {
  const address = addressOf(choice);
  if (address === undefined) return `service.${choice.service}`;
  return `service.${choice.service}@${URL.canParse(address) ? new URL(address).origin : address}`;
}

/** Problem with a typed address, with advice; undefined if it is valid. */
export function addressProblem(address: string): string | undefined {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return undefined;
  return currentTexts().models.addressProblem(address);
}

/** Key and address of a choice. Throws `invalid_input` if the key is missing or locked, or the address is invalid. */
export async function connectionOf(
  choice: ModelChoice,
  vault: Vault,
): Promise<{ readonly apiKey?: string; readonly address?: string }> {
  const { key } = serviceOf(choice.service);
  const address = addressOf(choice);
  const problem = address === undefined ? undefined : addressProblem(address);
  if (problem !== undefined) throw new UtensilError('invalid_input', problem);
  const apiKey = await vault.get(keyName(choice));
  if (key === 'required' && apiKey === undefined) {
    throw new UtensilError('invalid_input', currentTexts().keys.needed(labelOf(choice.service)));
  }
  return { ...(apiKey !== undefined && { apiKey }), ...(address !== undefined && { address }) };
}

/** The selected model with the user's key. Throws as {@link connectionOf} does. */
export async function loadModel(choice: ModelChoice, vault: Vault): Promise<Model> {
  const connection = await connectionOf(choice, vault);
  const { serviceModels } = await import('./service-models.ts');
  return serviceModels[serviceOf(choice.service).id](choice.model, connection);
}
