import { isUtensilError, UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordStore } from '../records/records.ts';
import { settingsVersion } from './settings.ts';
import type { Settings } from './settings.ts';

/** Where settings are stored, what people call that, and how what is there is read. */
export interface Place {
  readonly records: RecordStore;
  readonly key: RecordKey;
  readonly name: string;
  readonly migrate: (stored: unknown) => Settings;
}

/** Settings as they were stored when somebody looked. */
export interface StoredSettings {
  readonly settings: Settings;
  readonly etag: string | null;
  /** An older version has written them. */
  readonly isOld?: boolean;
  /** What was stored could not be read and was put aside: these are those of before. */
  readonly problem?: UtensilError;
}

/** Reads the stored settings; the same object if nothing has changed. Throws if they cannot be read, and leaves them there. */
export async function lookAtSettings(
  { records, key, migrate }: Place,
  before: StoredSettings,
): Promise<StoredSettings> {
  const found = await records.get(key);
  // Another tab may have put them aside: the last good settings stay.
  if (found === undefined) return { settings: before.settings, etag: null };
  if (found.etag === before.etag) return before;
  const isOld = isObject(found.value) && found.value['version'] !== settingsVersion;
  return { settings: migrate(found.value), etag: found.etag, isOld };
}

/** Reads the stored settings, and puts them aside if they cannot be read. */
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

/** Puts aside what cannot be read, unless another tab has done so and has stored something good since. */
async function putAside(place: Place, { before, cause }: Unreadable): Promise<StoredSettings> {
  const { records, key, name } = place;
  const aside = await records.setAside(key, { unless: ({ value }) => isReadable(place, value) });
  const now: StoredSettings =
    aside === undefined ? await readSettings(place, before) : { settings: before.settings, etag: null };
  if (now.etag !== null || now.problem !== undefined) return now;
  const where = aside === undefined ? 'aside' : `aside as ${aside}`;
  const text = `The settings of "${name}" could not be read. They were put ${where}, and what was chosen in them is back at its default.`;
  return { ...now, problem: new UtensilError(cause.code, text, { cause }) };
}

function isReadable({ migrate }: Place, value: unknown): boolean {
  try {
    migrate(value);
    return true;
  } catch (error) {
    return !isUtensilError(error, 'settings_corrupt'); // one of a newer version is not ours to move
  }
}
