import { UtensilError } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';

/** A text encrypted with AES-GCM, in base64. */
export interface Sealed {
  readonly iv: string;
  readonly data: string;
}

const algorithm = 'AES-GCM';
const iterations = 600_000;

/** A non-extractable key of the browser. */
export async function newKey(): Promise<CryptoKey> {
  return crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt']);
}

/** Derives the key of a passphrase: PBKDF2 with SHA-256, slow on purpose. */
export async function deriveKey(passphrase: string, salt: string): Promise<CryptoKey> {
  const text = new TextEncoder().encode(passphrase.normalize('NFC'));
  const material = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations },
    material,
    { name: algorithm, length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** Encrypts a text. */
export async function seal(key: CryptoKey, text: string): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: algorithm, iv }, key, new TextEncoder().encode(text));
  return { iv: base64(iv), data: base64(new Uint8Array(data)) };
}

/** Decrypts a text. Throws `invalid_input` if the key differs, or the text was altered. */
export async function open(key: CryptoKey, { iv, data }: Sealed): Promise<string> {
  try {
    const opened = await crypto.subtle.decrypt({ name: algorithm, iv: bytesOf(iv) }, key, bytesOf(data));
    return new TextDecoder().decode(opened);
  } catch (cause) {
    throw new UtensilError('invalid_input', currentTexts().keys.unreadable, { cause });
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
