import { isObject, UtensilError } from '@utensil/core';
import type { Model, RecordStore } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import { readOnce } from './mending.ts';
import { labelOf, serviceOf, services } from './services.ts';
import type { Vault } from './vault.ts';

/** The settings of one service. */
export interface ServiceSettings {
  readonly model: string;
  /** The address of the service, if it is not the usual one. */
  readonly address?: string;
}

/** The model that answers, with the settings of its service. */
export interface ModelChoice extends ServiceSettings {
  readonly service: string;
}

/** The chosen service of a project, and the settings of every service that was ever chosen there. */
export interface ModelSettings {
  readonly service: string;
  readonly services: Readonly<Record<string, ServiceSettings>>;
}

/** Needs neither key nor network. */
export const firstSettings: ModelSettings = { service: 'offline', services: {} };

const record = ['model'];
const lastRecord = ['last-model'];

/** The settings of a project. Throws once if they cannot be read; from then on they are those of a first visit. */
export async function readSettings(records: RecordStore): Promise<ModelSettings> {
  return settingsFrom(await readOnce(records, record, currentTexts().models.damaged));
}

/** Stores the settings of a project, and remembers them in the app for the next new project. */
export async function writeSettings(
  { records, app }: { readonly records: RecordStore; readonly app: RecordStore },
  { service, services }: ModelSettings,
): Promise<void> {
  const value = {
    service,
    services: Object.fromEntries(Object.entries(services).map(([id, own]) => [id, { ...own }])),
  };
  await records.put(record, value);
  await app.put(lastRecord, value);
}

/** Gives a new project the settings that were stored last in any project. API keys are not part of them. */
export async function takeLastSettings(records: RecordStore, app: RecordStore): Promise<void> {
  const last = await app.get(lastRecord).catch(() => undefined); // a damaged record is no reason to have no project
  if (last !== undefined) await records.put(record, last.value);
}

/** Settings from anything that was stored: those of now, or the single choice that older versions stored. */
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

/** The chosen model; of a service that was never set up, the first that it proposes. */
export function choiceOf({ service, services }: ModelSettings): ModelChoice {
  const own = Object.hasOwn(services, service) ? services[service] : undefined;
  return { service, ...(own ?? { model: serviceOf(service).models[0] ?? '' }) };
}

/** The model, as people call it: by its service if it has no name of its own. */
export function modelName(choice: ModelChoice): string {
  return ownModelName(choice) ?? labelOf(choice.service);
}

/** The name of the model; undefined if it has none, as on a server that has a single model. */
export function ownModelName({ service, model }: ModelChoice): string | undefined {
  const { models, unnamedModel } = serviceOf(service);
  return model === '' || model === unnamedModel || models.length === 0 ? undefined : model;
}

/** True if the service understands commands only. */
export function understandsCommandsOnly({ service }: ModelChoice): boolean {
  return serviceOf(service).commandsOnly === true;
}

/** The address that requests go to, if the service may be anywhere. */
export function addressOf({ service, address }: ModelChoice): string | undefined {
  const { address: usual } = serviceOf(service);
  return usual === undefined ? undefined : address || usual;
}

/** The name of the key in the vault: of the service, and of the address it was entered for if that may be any. Nobody else is ever sent it. */
export function keyName(choice: ModelChoice): string {
  const address = addressOf(choice);
  if (address === undefined) return `service.${choice.service}`;
  return `service.${choice.service}@${URL.canParse(address) ? new URL(address).origin : address}`;
}

/** What is wrong with an address as it was typed, and what to type; undefined if it is one. */
export function addressProblem(address: string): string | undefined {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return undefined;
  return currentTexts().models.addressProblem(address);
}

/** The key and the address that a choice is reached with. Throws `invalid_input` if the key is missing or locked, or the address is none. */
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

/** The chosen model, with the user's key. Throws as {@link connectionOf} does. */
export async function loadModel(choice: ModelChoice, vault: Vault): Promise<Model> {
  const connection = await connectionOf(choice, vault);
  const { serviceModels } = await import('./service-models.ts');
  return serviceModels[serviceOf(choice.service).id](choice.model, connection);
}
