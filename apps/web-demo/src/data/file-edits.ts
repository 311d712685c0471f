import { isObject, UtensilError } from '@utensil/core';
import { createListeners } from '@utensil/core/storage';
import type { Json, RecordStore } from '@utensil/core';
import type { FileDraft } from '@utensil/elements/files';
import { currentTexts } from '../texts/texts.ts';
import { problemText } from './advice.ts';

/** Unsaved edits of a project's files, as shown on a screen. */
export interface FileEditsState {
  /** By file path. */
  readonly drafts: ReadonlyMap<string, FileDraft>;
  /** Error of the latest edit that could not be stored, with advice. */
  readonly problem?: string;
}

/** Unsaved edits of a project's files. They survive a reload and are synchronized between tabs. */
export interface FileEdits {
  /** The same object until something changes. */
  state(): FileEditsState;
  change(path: string, draft: FileDraft | undefined): void;
  /** Deletes all edits, for example when the project is removed. */
  forget(): Promise<void>;
  subscribe(listener: () => void): () => void;
}

const log = ['file-edits'];

/** Debounce delay in milliseconds. */
const pause = 400;

/**
 * Opens the edits in the records of a project. `isThere` tells whether the project still exists, in any tab; edits of a
 * removed project are not stored.
 */
export function openFileEdits(records: RecordStore, isThere: () => Promise<boolean>): FileEdits {
  const { notify, subscribe } = createListeners();
  const unstored = new Set<string>(); // text typed here is newer than the stored one
  let state: FileEditsState = { drafts: new Map() };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastWork: Promise<void> = Promise.resolve();

  function show(changed: FileEditsState): void {
    state = changed;
    notify();
  }

  /** Serialized, so that a read never returns an older state than the last write. */
  function inTurn(work: () => Promise<void>): void {
    lastWork = lastWork.then(work).catch((error: unknown) => show({ ...state, problem: problemOf(error) }));
  }

  async function read(): Promise<void> {
    const drafts = new Map<string, FileDraft>();
    for await (const record of records.list(log)) {
      const stored = 'problem' in record ? undefined : draftOf(record.value);
      const path = record.key.at(-1);
      if (stored !== undefined && path !== undefined) drafts.set(path, stored);
    }
    for (const path of unstored) {
      const typed = state.drafts.get(path);
      if (typed === undefined) drafts.delete(path);
      else drafts.set(path, typed);
    }
    if (!areSame(drafts, state.drafts)) show({ ...state, drafts });
  }

  /** Stores each edit; a failure does not affect the others. */
  async function store(): Promise<void> {
    if (unstored.size > 0 && !(await isThere()))
      throw new UtensilError('ENOENT', currentTexts().problems.projectRemoved);
    const failures: unknown[] = [];
    for (const path of unstored) await storeOne(path).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    if (state.problem !== undefined) show({ drafts: state.drafts });
  }

  async function storeOne(path: string): Promise<void> {
    const draft = state.drafts.get(path);
    if (draft === undefined) await records.remove([...log, path]);
    else await records.put([...log, path], { text: draft.text, etag: draft.etag });
    if (state.drafts.get(path) === draft) unstored.delete(path);
  }

  function flush(): void {
    clearTimeout(timer);
    if (unstored.size > 0) inTurn(store);
  }

  records.watch(log, () => inTurn(read));
  document.addEventListener('visibilitychange', flush);
  addEventListener('pagehide', flush);
  addEventListener('beforeunload', (event) => {
    if (unstored.size > 0) event.preventDefault(); // a write is pending or has failed
    flush();
  });
  inTurn(read);

  return {
    state: () => state,
    change(path, draft) {
      const drafts = new Map(state.drafts);
      if (draft === undefined) drafts.delete(path);
      else drafts.set(path, draft);
      unstored.add(path);
      clearTimeout(timer);
      timer = setTimeout(flush, pause);
      show({ ...state, drafts });
    },
    async forget() {
      clearTimeout(timer);
      unstored.clear();
      show({ drafts: new Map() });
      await lastWork;
      await records.remove(log, { recursive: true });
    },
    subscribe,
  };
}

function draftOf(value: Json): FileDraft | undefined {
  if (!isObject(value)) return undefined;
  const { text, etag } = value;
  return typeof text === 'string' && typeof etag === 'string' ? { text, etag } : undefined;
}

function areSame(a: FileEditsState['drafts'], b: FileEditsState['drafts']): boolean {
  const isSame = ([path, { text, etag }]: readonly [string, FileDraft]): boolean =>
    b.get(path)?.text === text && b.get(path)?.etag === etag;
  return a.size === b.size && [...a].every(isSame);
}

function problemOf(error: unknown): string {
  return currentTexts().problems.editsNotStored(problemText(error));
}
