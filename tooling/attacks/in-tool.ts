import type { Attack, Guards } from './attack.ts';
import { suited } from './in-sandbox.ts';
import type { AttackOptions } from './in-sandbox.ts';
import { healthy, patience, problemOf, untouched } from './judge.ts';

/** A script that a model has called the tool `javascript` with. */
export interface CalledScript {
  readonly code: string;
  readonly limits: Readonly<Record<string, number>>;
  readonly isToolOn: boolean;
  readonly mayDestroy: boolean;
  readonly signal: AbortSignal;
}

/** Runs it, and gives what came of it in the sandbox, and what the model gets of it. */
export type Play = (script: CalledScript) => Promise<{
  readonly outcome:
    | {
        readonly status: string;
        readonly text: string;
        readonly console: readonly { readonly level: string; readonly text: string }[];
      }
    | undefined;
  readonly said: string;
}>;

/** Attacks by way of the tool `javascript` and the tools that it calls. Says what came of it that should not have. */
export async function attackTool(
  play: Play,
  attack: Attack,
  { files, guards = suited(attack), waits = patience }: AttackOptions,
): Promise<string | undefined> {
  await files.write('/memories/a', untouched);
  const seen = await play(scriptOf(attack.code, guards, waits));
  const kept = (await files.readText('/memories/a')).text;
  const next = await play(scriptOf(healthy.code, {}, patience));
  const { status = 'aborted', text = '', console = [] } = seen.outcome ?? {};
  return problemOf(attack, {
    status: status === 'done' || status === 'aborted' ? status : 'not done',
    text,
    said: [seen.said, ...console.map(({ level, text: line }) => `${level} ${line}`)].join('\n'),
    kept,
    next: next.outcome?.text ?? 'none',
  });
}

function scriptOf(code: string, guards: Partial<Guards>, waits: number): CalledScript {
  const { readOnly: _, isToolOn = false, mayDo = 'read', ...limits } = guards;
  return { code, limits, isToolOn, mayDestroy: mayDo === 'destructive', signal: AbortSignal.timeout(waits) };
}
