// The header is stored twice, so that a storage outlives the damage of one copy. A copy counts only if the key proves it.
// Two that contradict each other are refused: somebody exchanged one, and nobody can tell which.

import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { examine, headerKeys, newEncryption } from './header.ts';
import type { Encryption, Finding, NamesPolicy, Proven } from './header.ts';
import { utf8 } from './key.ts';
import type { StorageKey } from './key.ts';

/** What an app knows of the encryption. */
export interface Credentials {
  readonly key: StorageKey;
  /** What the app insists on; else a storage is taken as it is, and a new one encrypts names. */
  readonly names: NamesPolicy | undefined;
}

/** The encryption of a storage that was opened. */
export interface Opened extends Encryption {
  /** Writes the copies of the header that are missing, damaged or of an older version, the first time it is called. */
  mend(time: number): Promise<void>;
}

/** A copy of the header as it was found. */
interface Copy {
  readonly at: EntryKey;
  readonly finding: Finding | { readonly type: 'missing' } | { readonly type: 'unread'; readonly error: UtensilError };
  /** Null if it is missing; undefined if the storage failed to read it, which says nothing of the copy. */
  readonly etag: string | null | undefined;
  readonly text: string;
}

/** The encryption of a storage; undefined for one that has nothing in it. Throws for a key that is not its own. */
export async function openHeader(driver: StorageDriver, credentials: Credentials): Promise<Opened | undefined> {
  const copies = await readCopies(driver, credentials.key);
  if (copies.some(isThere)) return choose(driver, copies, credentials.names);
  if (await isEmpty(driver)) return undefined;
  const again = await readCopies(driver, credentials.key); // perhaps somebody has begun meanwhile
  if (again.some(isThere)) return choose(driver, again, credentials.names);
  throw refused('EIO', 'It holds what is not encrypted, or both copies of its header are gone: use another.');
}

/** Begins a storage, unless somebody else just has. */
export async function beginHeader(driver: StorageDriver, credentials: Credentials, time: number): Promise<Opened> {
  const begun = await newEncryption(credentials.key, credentials.names ?? 'encrypted');
  const { ok } = await driver.commit({
    expect: headerKeys.map((at) => ({ ...at, etag: null })),
    changes: headerKeys.map((at) => ({ ...at, type: 'write', content: utf8(begun.header) })),
    time,
    durable: true, // without it, nothing that comes later can be read
  });
  const opened = ok ? { ...begun, mend: async () => {} } : await openHeader(driver, credentials);
  if (opened === undefined) throw refused('EIO', 'Its header cannot be kept: look after the storage below.');
  return opened;
}

async function readCopies(driver: StorageDriver, key: StorageKey): Promise<readonly Copy[]> {
  return Promise.all(headerKeys.map((at) => readCopy(driver, at, key)));
}

async function readCopy(driver: StorageDriver, at: EntryKey, key: StorageKey): Promise<Copy> {
  try {
    const found = await driver.read(at);
    if (found === undefined) return { at, finding: { type: 'missing' }, etag: null, text: '' };
    const text = new TextDecoder().decode(found.content);
    return { at, finding: await examine(found.content, key), etag: found.entry.etag, text };
  } catch (error) {
    if (isUtensilError(error, 'EIO')) return { at, finding: { type: 'unread', error }, etag: undefined, text: '' };
    if (!isUtensilError(error, 'content_damaged')) throw error;
    const [entry] = await driver.stat([at]);
    return { at, finding: { type: 'damaged' }, etag: entry?.etag ?? null, text: '' };
  }
}

function isThere({ finding }: Copy): boolean {
  return finding.type !== 'missing';
}

/** Without a header there must be nothing: not even if somebody has taken the header away. */
async function isEmpty(driver: StorageDriver): Promise<boolean> {
  const trees = ['files', 'records'] as const;
  const listed = await Promise.all(trees.map((tree) => driver.list({ tree, path: '/', depth: 1, limit: 1 })));
  return listed.flat().length === 0;
}

/** The encryption that the copies agree on. */
function choose(driver: StorageDriver, copies: readonly Copy[], wanted: NamesPolicy | undefined): Opened {
  const findings = copies.map(({ finding }) => finding);
  if (findings.some(({ type }) => type === 'newer')) {
    throw refused('EIO', 'It was encrypted by a newer version of this package: update the app.');
  }
  const [proven] = findings.flatMap((finding) => (finding.type === 'proven' ? [finding.proven] : []));
  if (proven === undefined) throw reasonOf(findings);
  if (findings.some((finding) => contradicts(finding, proven))) {
    throw refused(
      'EACCES',
      'The two copies of its header differ, so one was exchanged: put back the one that was there.',
    );
  }
  if (wanted !== undefined && wanted !== proven.names) {
    throw refused('EINVAL', `The names in this storage are ${proven.names}: open it with that policy.`);
  }
  return { ...proven, mend: mender(driver, copies, proven) };
}

function contradicts(finding: Copy['finding'], { header }: Proven): boolean {
  if (finding.type === 'proven') return finding.proven.header !== header;
  return finding.type === 'foreign' && finding.isWhole;
}

/** Why no copy is of use. */
function reasonOf(findings: readonly Copy['finding'][]): UtensilError {
  for (const finding of findings) if (finding.type === 'unread') return finding.error;
  if (findings.some(({ type }) => type === 'foreign')) {
    return refused('EACCES', 'The key is not the one that this storage was encrypted with, or its header was altered.');
  }
  return refused('EIO', 'Both copies of the header of its encryption are damaged or gone: put one back that is whole.');
}

function mender(driver: StorageDriver, copies: readonly Copy[], { header }: Proven): Opened['mend'] {
  const faulty = copies.flatMap(({ at, etag, text }) => (etag === undefined || text === header ? [] : [{ at, etag }]));
  let isDue = faulty.length > 0;
  return async (time) => {
    if (!isDue) return;
    isDue = false;
    const answered = await driver
      .commit({
        expect: faulty.map(({ at, etag }) => ({ ...at, etag })),
        changes: faulty.map(({ at }) => ({ ...at, type: 'write', content: utf8(header) })),
        time,
        durable: true,
      })
      .catch(() => undefined); // the change that is made next says what is wrong
    isDue = answered === undefined;
  };
}

function refused(code: 'EACCES' | 'EINVAL' | 'EIO', hint: string): UtensilError {
  return fileError(code, '/', { hint });
}
