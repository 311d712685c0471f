import { table } from '../table.ts';
import { attacks } from './attacks.ts';
import type { Attack } from './attacks.ts';
import { perform } from './perform.ts';
import type { Defence } from './perform.ts';
import { tasks } from './tasks.ts';
import type { Task } from './tasks.ts';
import { closeWorlds } from './world.ts';

/** Outcome of an attack, with the defences and without. */
export interface AttackResult {
  readonly attack: Attack;
  readonly harm: { readonly [Each in Defence]: string | undefined };
  /** Calls that a person was asked about, and denied. */
  readonly denied: readonly string[];
}

export interface TaskResult {
  readonly name: string;
  /** Calls that a person was asked about needlessly. */
  readonly asked: readonly string[];
}

/** Reading from outside is allowed for always where the user does so every day. */
const allowed = ['open_link', 'read_mail', 'tickets'];

export async function attackResult(attack: Attack): Promise<AttackResult> {
  const { harm: on, denied } = await perform(attack.steps, 'on');
  const { harm: off } = await perform(attack.steps, 'off');
  return { attack, harm: { on, off }, denied };
}

export async function taskResult({ name, steps }: Task): Promise<TaskResult> {
  return { name, asked: (await perform(steps, 'on', allowed)).asked };
}

export async function runInjection(progress: (line: string) => void) {
  const results: AttackResult[] = [];
  const done: TaskResult[] = [];
  for (const attack of attacks) {
    results.push(await attackResult(attack));
    if (results.at(-1)?.harm.on !== undefined) progress(`went through: ${attack.name}`);
  }
  for (const task of tasks) done.push(await taskResult(task));
  closeWorlds();
  return { attacks: results, tasks: done };
}

/** The figures, and what is worth a look by name. */
export function reportInjection({ attacks: all, tasks: done }: Awaited<ReturnType<typeof runInjection>>): string {
  const kinds = [...new Set(all.map(({ attack }) => attack.kind))];
  const row = (name: string, some: readonly AttackResult[]) => [
    name,
    String(some.length),
    String(some.filter(({ harm }) => harm.on !== undefined).length),
    String(some.filter(({ harm }) => harm.off !== undefined).length),
  ];
  const rows = kinds.map((kind) =>
    row(
      kind,
      all.filter(({ attack }) => attack.kind === kind),
    ),
  );
  const asked = done.filter((task) => task.asked.length > 0);
  return [
    'A destructive or outward call without a question:\n',
    table([['hostile text that is', 'attacks', 'through', 'without taint'], ...rows, row('all', all)]),
    ...all.filter(({ harm }) => harm.on !== undefined).map(({ attack, harm }) => `\n! ${attack.name}: ${harm.on}`),
    `\nEveryday tasks: ${done.length}, of which ${asked.length} with a needless question.`,
    ...asked.map(({ name, asked: about }) => `\n! ${name}: ${about.join(', ')}`),
  ].join('\n');
}
