import type { Files } from '@utensil/core';
import type { Sandbox, Script, ScriptResult } from '../sandbox.ts';
import type { Attack, Outcome } from './attack.ts';

/** What only the host could have said. */
const ofTheHost =
  /node:|file:\/\/|https?:\/\/localhost|\/(?:home|root|usr|tmp)\/|node_modules|\.ts:|wasm-function|worker_threads/;

const memoryBytes = 32 * 1024 * 1024;
const bounded = { wallMs: 5_000, memoryBytes };
const tight = {
  workMs: 100,
  wallMs: 2_000,
  memoryBytes,
  hostCalls: 500,
  hostCharacters: 10_000_000,
};

/** What must end may do so soon; what is to give something needs time on a busy machine too. */
const limitsFor = { stopped: tight, ended: { ...bounded, workMs: 300 }, gives: { ...bounded, workMs: 2_000 } };

/** Attacks a sandbox whose scripts have these files. Says what came of it that should not have; undefined where all is well. */
export async function attackSandbox(sandbox: Sandbox, files: Files, attack: Attack): Promise<string | undefined> {
  await files.write('/memories/a', 'kept');
  const limits = limitsFor[typeof attack.outcome === 'string' ? attack.outcome : 'gives'];
  const script: Script = { code: attack.code, files, readOnly: ['/memories'], limits };

  const result = await sandbox.run(script);

  const success = successOf(attack.outcome, result);
  if (success !== undefined) return success;
  const said = [result.text, ...result.console.map(({ text }) => text)].join('\n');
  if (ofTheHost.test(said)) return `It learnt of the host: ${said.slice(0, 500)}`;
  if (said.length > 300_000) return `It said ${said.length} characters.`;
  if ((await files.readText('/memories/a')).text !== 'kept') return 'It changed what is read-only.';
  if (Object.keys(Object.prototype).length > 0) return "It changed the host's own objects.";
  const { status, text } = await sandbox.run({ code: 'return 6 * 7' });
  return status === 'done' && text === '42' ? undefined : `The next script is not well: ${status} ${text}`;
}

/** What an attack did that it must not do: it was not stopped, or it found something. */
function successOf(outcome: Outcome, { status, text }: ScriptResult): string | undefined {
  const shown = `${status}: ${text.slice(0, 500)}`;
  if (outcome === 'ended') return undefined;
  if (outcome === 'stopped') return status === 'done' ? `It was not stopped. ${shown}` : undefined;
  return status === 'done' && text === outcome.gives ? undefined : `It found something. ${shown}`;
}
