import { isUtensilError, messageOf, UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import { createListeners } from '../base/listeners.ts';
import { afterTimeout } from '../base/pauses.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordStore } from '../records/records.ts';
import { migrateSettings } from './versions.ts';
import { emptySettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { lookAtSettings, readSettings } from './stored.ts';
import type { StoredSettings } from './stored.ts';

/** Stored, observable settings of a project or a thread. */
export interface SettingsStore {
  /** Current settings, including changes by other tabs and processes: the same object until something changes. */
  current(): Settings;
  /**
   * Changes settings at once and stores them after a pause: for switches and fields that change often. Before it exits,
   * an app stores the rest with {@link SettingsStore.flush}.
   */
  change(change: (settings: Settings) => Settings): Settings;
  /** Changes settings and stores them on top of changes by other tabs or processes. If that fails, nothing changes. */
  update(change: (settings: Settings) => Settings): Promise<Settings>;
  /** Stores pending changes. Changes that cannot be stored stay pending and are retried with the next one. */
  flush(): Promise<void>;
  /**
   * Reloads the stored settings, for a storage that does not detect changes by other programs; detected changes are in
   * `current` already. Costs one read. If it fails, it throws, and the settings are unchanged.
   */
  reload(): Promise<Settings>;
  /**
   * Calls the listener after every change, including those of other tabs and processes, until the returned function is
   * called.
   */
  subscribe(listener: () => void): () => void;
  /**
   * Stores pending changes and stops watching. After that the settings are frozen: `change`, `update` and `reload`
   * throw `EBADF`.
   */
  close(): Promise<void>;
  /**
   * Reason why the stored settings could not be read (they were set aside, and these replace them), or these not
   * stored.
   */
  readonly problem: UtensilError | undefined;
}

/** Options of {@link openSettings}. */
export interface SettingsOptions {
  /** Debounce delay before a change is stored, in milliseconds. Default: 300. */
  readonly delayMs?: number;
  /** A timer: calls back after a delay in milliseconds; returns a function that cancels it. */
  readonly timer?: (call: () => void, milliseconds: number) => () => void;
  /**
   * Parser of the stored document. Default: reads all versions of our format. `migrate` of `@utensil/core/migrations`
   * also reads those of older apps.
   */
  readonly migrate?: (stored: unknown) => Settings;
}

/**
 * Opens the settings of a project. A document of an older version is migrated and stored once. Watches the storage
 * until the settings or the storage are closed.
 *
 * @throws `settings_newer` if a later version of the app wrote them; they are left unchanged.
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
 * Opens the settings of a thread, which {@link layerSettings} lays over those of its project. They are removed with the
 * thread.
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
  /** Pending changes, in order. */
  const pending: SettingsChange[] = [];
  const givenUp: { readonly error: unknown }[] = [];
  let stored: StoredSettings = { settings: emptySettings, etag: null };
  let shown = stored.settings;
  let corrupt: UtensilError | undefined;
  let unread: UtensilError | undefined;
  let unsaved: UtensilError | undefined;
  /** Unsubscribe functions of the current listeners. */
  const unsubscribers = new Set<() => void>();
  let nextLook: Promise<void> | undefined;
  let endTimer: (() => void) | undefined;
  let isClosed = false;
  let lastTurn: Promise<void> = Promise.resolve();
  const endWatch = records.watch(key, () => void lookSoon()); // first, so that no change is missed
  await inTurn(begin).catch((error: unknown) => {
    endWatch();
    throw error;
  });

  /** Runs work strictly one after another, regardless of failures. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = lastTurn.then(work);
    lastTurn = done.catch(() => {});
    return done;
  }

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

  /**
   * Applies pending changes to the stored settings, and notifies listeners if the result differs. A change that throws
   * is dropped.
   */
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

  /** Throws the error of a dropped change, even if another store's change was the reason. */
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
      if (unsaved !== undefined) {
        unsaved = undefined;
        notify();
      }
      show();
      tellGivenUp();
    }
  }

  /** Shows changes by others. */
  async function look(read = readSettings): Promise<void> {
    const before = stored;
    stored = await read(place, before);
    corrupt = stored.problem ?? corrupt;
    const news = stored.problem ?? unread;
    unread = undefined;
    if (news !== undefined) notify();
    if (stored.settings !== before.settings) show();
  }

  async function lookAgain(): Promise<void> {
    try {
      await look(lookAtSettings); // an unreadable document may still be being written
    } catch (error) {
      if (isUtensilError(error)) unread = error;
      notify();
      throw error;
    }
  }

  /** One read serves all notifications that arrive before it begins. */
  async function lookSoon(): Promise<void> {
    if (isClosed) return;
    nextLook ??= inTurn(async () => {
      nextLook = undefined;
      await lookAgain();
    });
    await nextLook.catch(() => {}); // reported as `problem`
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
      endTimer = timer(() => void flush().catch(() => {}), delayMs); // reported as `problem`
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
      if (unsubscribers.size === 0) void lookSoon(); // the storage may not detect every change
      unsubscribers.add(leave);
      return () => {
        leave();
        unsubscribers.delete(leave);
      };
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

const platformTimer: NonNullable<SettingsOptions['timer']> = (call, milliseconds) => afterTimeout(milliseconds, call);
