import { isObject, UtensilError } from '@utensil/core';
import type { Model, RecordStore } from '@utensil/core';
import { serviceOf, services } from './services.ts';
import type { Vault } from './vault.ts';

/** Which model answers. */
export interface ModelChoice {
  readonly service: string;
  readonly model: string;
  /** Where the service is, if not where it usually is. */
  readonly address?: string;
}

/** Needs neither key nor network. */
export const firstChoice: ModelChoice = { service: 'offline', model: '' };

const record = ['model'];

/** The choice of a project. */
export async function readChoice(records: RecordStore): Promise<ModelChoice> {
  const value = (await records.get(record))?.value;
  const isKnown =
    isObject(value) && typeof value['model'] === 'string' && services.some(({ id }) => id === value['service']);
  return isKnown ? (value as unknown as ModelChoice) : firstChoice;
}

/** Keeps the choice of a project. */
export async function writeChoice(records: RecordStore, choice: ModelChoice): Promise<void> {
  await records.put(record, { ...choice });
}

/** The name of the key of a service in the vault. */
export function keyName(service: string): string {
  return `service.${service}`;
}

/** The chosen model, with the user's key. Throws `invalid_input` where the key is missing, or locked. */
export async function loadModel({ service: id, model, address }: ModelChoice, vault: Vault): Promise<Model> {
  const service = serviceOf(id);
  const apiKey = await vault.get(keyName(id));
  if (service.needsKey && apiKey === undefined) {
    throw new UtensilError(
      'invalid_input',
      `${service.label} needs a key of yours: enter it on the page “Models”, or choose another model there.`,
    );
  }
  const place = address ?? service.address;
  return service.load(model, {
    ...(apiKey !== undefined && { apiKey }),
    ...(place !== undefined && { address: place }),
  });
}
