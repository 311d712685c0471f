import { isUtensilError, messageOf, UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import { createListeners } from '../base/listeners.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordStore } from '../records/records.ts';
import { migrateSettings } from './versions.ts';
import { emptySettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { lookAtSettings, readSettings } from './stored.ts';
import type { StoredSettings } from './stored.ts';

/** The settings of a project or of a thread, stored and observable. */
export interface SettingsStore {
  /** The settings in force, with the changes of other tabs and processes: the same object until something changes. */
  current(): Settings;
  /**
   * Changes settings at once, and stores that after a pause: for switches and fields that change often. An app stores
   * the rest with {@link SettingsStore.flush} before it goes.
   */
  change(change: (settings: Settings) => Settings): Settings;
  /** Changes settings and stores that, on top of what other tabs or processes have stored meanwhile. Where that fails, nothing changes. */
  update(change: (settings: Settings) => Settings): Promise<Settings>;
  /** Stores what has not been stored yet. What cannot be stored holds on, and is tried again with the next change. */
  flush(): Promise<void>;
  /**
   * Reads the stored settings again, for a storage that does not notice the changes of other programs; changes that it
   * notices are in `current` already. Costs one read. If that fails, it throws, and the settings stay as they were.
   */
  reload(): Promise<Settings>;
  /** Calls the listener after every change, in other tabs and processes too, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /**
   * Stores what has not been stored yet, and ends the watch of the storage. After that the settings stay as they are:
   * `change`, `update` and `reload` throw `EBADF`.
   */
  close(): Promise<void>;
  /** Why what is stored could not be read (it was put aside, and these settings stand for it), or these not be stored. */
  readonly problem: UtensilError | undefined;
}

/** Options of {@link openSettings}. */
export interface SettingsOptions {
  /** Milliseconds after a change until it is stored, unless there is another one meanwhile. Default 300. */
  readonly delayMs?: number;
  /** A timer: makes the call after so many milliseconds, unless the function that it gives is called before. */
  readonly timer?: (call: () => void, milliseconds: number) => () => void;
  /** Reads what is stored; default: all versions of ours. `migrate` of `@utensil/core/migrations` also reads those of older apps. */
  readonly migrate?: (stored: unknown) => Settings;
}

/**
 * Opens the settings of a project, and brings them up to date: what an older version wrote is stored anew, once. From then
 * on the storage is watched, until the settings or the storage are closed.
 *
 * @throws `settings_newer` where a later version of the app wrote them; they are left as they are.
 * @example
 * ```ts
 * import { createRecords, openSettings } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const settings = await openSettings(createRecords(memoryStorage()), 'default');
 * settings.current(); // { version: 2, tools: {} }
 * await settings.close();
 * ```
 */
export async function openSettings(
  records: RecordStore,
  projectId: string,
  options: SettingsOptions = {},
): Promise<SettingsStore> {
  return open(records, { key: ['settings', projectId], name: projectId, ...options });
}

/**
 * Opens the settings of a thread, which {@link layerSettings} lays over those of its project. They go with the thread.
 *
 * @throws as {@link openSettings} does.
 */
export async function openThreadSettings(
  records: RecordStore,
  threadId: string,
  options: SettingsOptions = {},
): Promise<SettingsStore> {
  return open(records, { key: ['threads', threadId, 'settings'], name: threadId, ...options });
}

interface Opening extends SettingsOptions {
  readonly key: RecordKey;
  readonly name: string;
}

type SettingsChange = (settings: Settings) => Settings;

async function open(records: RecordStore, opening: Opening): Promise<SettingsStore> {
  const { key, name, delayMs = 300, timer = platformTimer, migrate = migrateSettings } = opening;
  const place = { records, key, name, migrate };
  const { notify, subscribe } = createListeners();
  const inTurn = createTurns();
  /** What was not stored yet, in the order in which it was changed. */
  const pending: SettingsChange[] = [];
  const givenUp: { readonly error: unknown }[] = [];
  let stored: StoredSettings = { settings: emptySettings, etag: null };
  let shown = stored.settings;
  let corrupt: UtensilError | undefined;
  let unread: UtensilError | undefined;
  let unsaved: UtensilError | undefined;
  let listening = 0;
  let nextLook: Promise<void> | undefined;
  let endTimer: (() => void) | undefined;
  let isClosed = false;
  const endWatch = records.watch(key, () => void lookSoon()); // first, so that no change is missed
  await inTurn(begin).catch((error: unknown) => {
    endWatch();
    throw error;
  });

  async function begin(): Promise<void> {
    stored = await readSettings(place, stored);
    shown = stored.settings;
    corrupt = stored.problem;
    if (stored.isOld === true) await put(stored.settings).catch(() => {}); // the next change stores it too
  }

  async function put(settings: Settings): Promise<void> {
    const { etag } = await records.put(key, toJson(settings), { ifMatch: stored.etag });
    stored = { settings, etag };
  }

  /** Shows what is stored with what is not, and tells of it where it differs. A change that fails is given up. */
  function show(): void {
    const before = shown;
    shown = stored.settings;
    for (const change of [...pending]) {
      try {
        shown = change(shown);
      } catch (error) {
        givenUp.push({ error });
        forget([change]);
      }
    }
    if (shown !== before) notify();
  }

  /** Throws the error of a change that was given up, also if another store's change was the reason. */
  function tellGivenUp(): void {
    const [first] = givenUp.splice(0);
    if (first !== undefined) throw first.error;
  }

  function forget(changes: readonly SettingsChange[]): void {
    for (const change of changes) if (pending.includes(change)) pending.splice(pending.indexOf(change), 1);
  }

  async function storePending(): Promise<void> {
    tellGivenUp();
    for (let attempt = 1; pending.length > 0; attempt++) {
      await look();
      tellGivenUp();
      const [changes, changed] = [[...pending], shown];
      try {
        if (changed !== stored.settings || stored.etag === null) await put(changed);
      } catch (error) {
        if (attempt < 5 && isUtensilError(error, 'ECONFLICT')) continue;
        throw error;
      }
      attempt = 0;
      forget(changes);
      const wasUnsaved = unsaved !== undefined;
      unsaved = undefined;
      if (wasUnsaved) notify();
      show();
      tellGivenUp();
    }
  }

  /** Shows what others have stored. */
  async function look(read = readSettings): Promise<void> {
    const before = stored;
    stored = await read(place, before);
    corrupt = stored.problem ?? corrupt;
    const wasUnread = unread !== undefined;
    unread = undefined;
    if (stored.problem !== undefined || wasUnread) notify();
    if (stored.settings !== before.settings) show();
  }

  async function lookAgain(): Promise<void> {
    try {
      await look(lookAtSettings); // what cannot be read is still being written, perhaps
    } catch (error) {
      if (isUtensilError(error)) unread = error;
      notify();
      throw error;
    }
  }

  /** One look for all changes that are told before it begins. */
  async function lookSoon(): Promise<void> {
    if (isClosed) return;
    nextLook ??= inTurn(async () => {
      nextLook = undefined;
      await lookAgain();
    });
    await nextLook.catch(() => {}); // `problem` tells
  }

  async function storeNow(): Promise<void> {
    endTimer?.();
    endTimer = undefined;
    await inTurn(storePending);
  }

  async function flush(): Promise<void> {
    try {
      await storeNow();
    } catch (error) {
      const text = `The settings of "${name}" are not stored: ${messageOf(error)} They hold until the app is closed, and are tried again with the next change.`;
      unsaved = new UtensilError('settings_unsaved', text, { cause: error, retryable: true });
      notify();
      throw unsaved;
    }
  }

  function refuseClosed(): void {
    if (isClosed) throw new UtensilError('EBADF', `The settings of "${name}" are closed: open them again.`);
  }

  function add(change: SettingsChange): void {
    refuseClosed();
    const changed = change(shown);
    pending.push(change);
    if (changed === shown) return;
    shown = changed;
    notify();
  }

  return {
    current: () => shown,
    change(change) {
      add(change);
      endTimer?.();
      endTimer = timer(() => void flush().catch(() => {}), delayMs); // `problem` tells
      return shown;
    },
    async update(change) {
      add(change);
      try {
        await storeNow();
      } catch (error) {
        forget([change]);
        show();
        throw error;
      }
      return shown;
    },
    flush,
    async reload() {
      refuseClosed();
      await inTurn(lookAgain);
      return shown;
    },
    subscribe(listener) {
      const leave = subscribe(listener);
      if (listening++ === 0) void lookSoon(); // the storage may not hear of everything
      return once(() => {
        leave();
        listening--;
      });
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      endWatch();
      await flush();
    },
    get problem() {
      return unsaved ?? unread ?? corrupt;
    },
  };
}

/** Runs works one after the other, whatever becomes of them. */
function createTurns(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

function platformTimer(call: () => void, milliseconds: number): () => void {
  const id = setTimeout(call, milliseconds);
  return () => clearTimeout(id);
}
