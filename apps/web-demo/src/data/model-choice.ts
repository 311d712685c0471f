import { isObject, UtensilError } from '@utensil/core';
import type { Model, RecordStore } from '@utensil/core';
import { readOnce } from './mending.ts';
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

/** The choice of a project. Throws once where it cannot be read, and is the first choice from then on. */
export async function readChoice(records: RecordStore): Promise<ModelChoice> {
  const value = await readOnce(records, record, {
    what: 'Which model answers here',
    again: 'Choose it again on the page “Models”.',
  });
  const isKnown =
    isObject(value) && typeof value['model'] === 'string' && services.some(({ id }) => id === value['service']);
  return isKnown ? (value as unknown as ModelChoice) : firstChoice;
}

/** Keeps the choice of a project. */
export async function writeChoice(records: RecordStore, choice: ModelChoice): Promise<void> {
  await records.put(record, { ...choice });
}

/** The name of the key in the vault: of the service, and of the address it was entered for where that may be any. Nobody else is ever sent it. */
export function keyName({ service, address }: ModelChoice): string {
  const { address: usual } = serviceOf(service);
  if (usual === undefined) return `service.${service}`;
  const place = address ?? usual;
  return `service.${service}@${URL.canParse(place) ? new URL(place).origin : place}`;
}

/** The chosen model, with the user's key. Throws `invalid_input` where the key is missing, or locked. */
export async function loadModel(choice: ModelChoice, vault: Vault): Promise<Model> {
  const { service: id, model, address } = choice;
  const service = serviceOf(id);
  const apiKey = await vault.get(keyName(choice));
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
