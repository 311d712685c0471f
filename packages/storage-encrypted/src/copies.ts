// The header is stored twice, so that a storage survives damage to one copy. A copy is valid only if the key proves it.
// Two valid copies that contradict each other are refused: one was replaced, and nothing shows which.

import { isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { EntryKey, StorageDriver } from '@utensil/core/storage';
import { examine, headerKeys, newEncryption } from './header.ts';
import type { Encryption, Finding, NamesPolicy, Proven } from './header.ts';
import { utf8 } from './key.ts';
import type { StorageKey } from './key.ts';

/** Credentials that the app passes. */
export interface Credentials {
  readonly key: StorageKey;
  /** The required policy. Undefined: the policy of the storage, or `encrypted` for a new one. */
  readonly names: NamesPolicy | undefined;
}

/** The encryption of an open storage. */
export interface Opened extends Encryption {
  /** Writes header copies that are missing, damaged or outdated, on the first call. */
  mend(time: number): Promise<void>;
}

/** A header copy as read. */
interface Copy {
  readonly at: EntryKey;
  readonly finding: Finding | { readonly type: 'missing' } | { readonly type: 'unread'; readonly error: UtensilError };
  /** Null if it is missing; undefined if reading failed, which reveals nothing about the copy. */
  readonly etag: string | null | undefined;
  readonly text: string;
}

/** Opens the encryption of a storage; undefined for an empty storage. Throws if the key is wrong. */
export async function openHeader(driver: StorageDriver, credentials: Credentials): Promise<Opened | undefined> {
  const copies = await readCopies(driver, credentials.key);
  if (copies.some(isThere)) return choose(driver, copies, credentials.names);
  if (await isEmpty(driver)) return undefined;
  const again = await readCopies(driver, credentials.key); // another writer may have initialized it in the meantime
  if (again.some(isThere)) return choose(driver, again, credentials.names);
  throw refused('EIO', 'It contains unencrypted data, or both copies of its header are missing: use another storage.');
}

/** Initializes a storage, unless another writer just has. */
export async function beginHeader(driver: StorageDriver, credentials: Credentials, time: number): Promise<Opened> {
  const begun = await newEncryption(credentials.key, credentials.names ?? 'encrypted');
  const { ok } = await driver.commit({
    expect: headerKeys.map((at) => ({ ...at, etag: null })),
    changes: headerKeys.map((at) => ({ ...at, type: 'write', content: utf8(begun.header) })),
    time,
    durable: true, // nothing written later can be read without it
  });
  const opened = ok ? { ...begun, mend: async () => {} } : await openHeader(driver, credentials);
  if (opened === undefined) throw refused('EIO', 'Its header could not be stored: check the underlying storage.');
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

/** True if the storage is empty. Data without a header means that the header was removed. */
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
    throw refused('EACCES', 'The two copies of its header differ, so one was replaced: restore the original.');
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

/** Error that explains why no copy is usable. */
function reasonOf(findings: readonly Copy['finding'][]): UtensilError {
  for (const finding of findings) if (finding.type === 'unread') return finding.error;
  if (findings.some(({ type }) => type === 'foreign')) {
    return refused('EACCES', 'The key is not the one of this storage, or its header was altered.');
  }
  return refused('EIO', 'Both copies of its encryption header are damaged or missing: restore an intact one.');
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
      .catch(() => undefined); // the next change reports the problem
    isDue = answered === undefined;
  };
}

function refused(code: 'EACCES' | 'EINVAL' | 'EIO', hint: string): UtensilError {
  return fileError(code, '/', { hint });
}
