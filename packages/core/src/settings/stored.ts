import { isUtensilError, UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordStore } from '../records/records.ts';
import { settingsVersion } from './settings.ts';
import type { Settings } from './settings.ts';

/** Location and name of stored settings, and their parser. */
export interface Place {
  readonly records: RecordStore;
  readonly key: RecordKey;
  readonly name: string;
  readonly migrate: (stored: unknown) => Settings;
}

/** Settings as stored at the time of a read. */
export interface StoredSettings {
  readonly settings: Settings;
  readonly etag: string | null;
  /** True if an older version has written them. */
  readonly isOld?: boolean;
  /** The document was unreadable and was set aside: these are the previous settings. */
  readonly problem?: UtensilError;
}

/**
 * Reads the stored settings; the same object if nothing has changed. If they cannot be read, throws and leaves them in
 * place.
 */
export async function lookAtSettings(
  { records, key, migrate }: Place,
  before: StoredSettings,
): Promise<StoredSettings> {
  const found = await records.get(key);
  // Another tab may have set them aside: the last good settings stay in force.
  if (found === undefined) return { settings: before.settings, etag: null };
  if (found.etag === before.etag) return before;
  const isOld = isObject(found.value) && found.value['version'] !== settingsVersion;
  return { settings: migrate(found.value), etag: found.etag, isOld };
}

/** Reads the stored settings, and sets them aside if they cannot be read. */
export async function readSettings(place: Place, before: StoredSettings): Promise<StoredSettings> {
  try {
    return await lookAtSettings(place, before);
  } catch (error) {
    if (!isUtensilError(error, 'record_corrupt', 'settings_corrupt')) throw error;
    return putAside(place, { before, cause: error });
  }
}

interface Unreadable {
  readonly before: StoredSettings;
  readonly cause: UtensilError;
}

/** Sets an unreadable document aside, unless another tab has already done so and stored a good one since. */
async function putAside(place: Place, { before, cause }: Unreadable): Promise<StoredSettings> {
  const { records, key, name } = place;
  const aside = await records.setAside(key, { unless: ({ value }) => isReadable(place, value) });
  const now: StoredSettings =
    aside === undefined ? await readSettings(place, before) : { settings: before.settings, etag: null };
  if (now.etag !== null || now.problem !== undefined) return now;
  const where = aside === undefined ? 'aside' : `aside as ${aside}`;
  const text = `The settings of "${name}" could not be read. They were put ${where}, and its options are back at their defaults.`;
  return { ...now, problem: new UtensilError(cause.code, text, { cause }) };
}

function isReadable({ migrate }: Place, value: unknown): boolean {
  try {
    migrate(value);
    return true;
  } catch (error) {
    return !isUtensilError(error, 'settings_corrupt'); // a document of a newer version must stay
  }
}
