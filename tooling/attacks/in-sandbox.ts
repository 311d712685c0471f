import type { Attack, Guards } from './attack.ts';
import { healthy, patience, problemOf, untouched } from './judge.ts';

/** What an attack needs of files. */
export interface AnyFiles {
  write(path: string, text: string): Promise<unknown>;
  readText(path: string): Promise<{ readonly text: string }>;
}

/** What it needs of a sandbox. */
export interface AnySandbox {
  run(script: {
    readonly code: string;
    readonly files?: AnyFiles;
    readonly readOnly?: readonly string[];
    readonly limits?: Partial<Omit<Guards, 'readOnly'>>;
    readonly signal?: AbortSignal;
  }): Promise<{
    readonly status: string;
    readonly text: string;
    readonly console: readonly { readonly level: string; readonly text: string }[];
    readonly stats: { readonly memoryBytes: number };
  }>;
}

/** How an attack is made. */
export interface AttackOptions {
  readonly files: AnyFiles;
  /** Instead of those that suit it. */
  readonly guards?: Partial<Guards>;
  /** Milliseconds after which the test ends it. */
  readonly waits?: number;
}

/** That of the sandbox, and of each attack. */
export const memoryBytes = 32 * 1024 * 1024;
const bounded = { wallMs: 5_000, memoryBytes };
const tight = { workMs: 40, wallMs: 2_000, memoryBytes, hostCalls: 500, hostCharacters: 10_000_000 };

/** What must end may do so soon; what is to give something needs time on a busy machine too. */
const guardsFor = { stopped: tight, ended: { ...bounded, workMs: 100 }, gives: { ...bounded, workMs: 2_000 } };

/** The guards under which an attack ends soon. */
export function suited({ outcome }: Attack): Partial<Guards> {
  return guardsFor[typeof outcome === 'string' ? outcome : 'gives'];
}

/** Attacks a sandbox. Says what came of it that should not have; undefined where all is well. */
export async function attackSandbox(
  sandbox: AnySandbox,
  attack: Attack,
  { files, guards = suited(attack), waits = patience }: AttackOptions,
): Promise<string | undefined> {
  await files.write('/memories/a', untouched);
  const { readOnly = ['/memories'], ...limits } = guards;
  const signal = AbortSignal.timeout(waits);
  const { status, text, console, stats } = await sandbox.run({ code: attack.code, files, readOnly, limits, signal });
  const kept = (await files.readText('/memories/a')).text;
  const { stackBytes } = limits;
  const size = { ...(limits.memoryBytes && { memoryBytes: limits.memoryBytes }), ...(stackBytes && { stackBytes }) };
  const next = await sandbox.run({ code: healthy.code, limits: size });
  return problemOf(attack, {
    status: status === 'done' || status === 'aborted' ? status : 'not done',
    text,
    said: [text, ...console.map(({ level, text: line }) => `${level} ${line}`)].join('\n'),
    kept,
    next: next.text,
    memory: { bytes: stats.memoryBytes, limit: limits.memoryBytes ?? Infinity },
  });
}
