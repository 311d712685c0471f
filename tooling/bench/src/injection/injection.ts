import { table } from '../runner/table.ts';
import type { Attack } from './attacks.ts';
import { perform } from './perform.ts';
import type { Defence } from './perform.ts';
import type { Task } from './tasks.ts';

/** Outcome of an attack with and without defences. */
export interface AttackResult {
  readonly kind: 'attack';
  readonly attack: Attack;
  readonly harm: { readonly [Each in Defence]: string | undefined };
  /** Calls that a person was asked about and denied. */
  readonly denied: readonly string[];
}

export interface TaskResult {
  readonly kind: 'task';
  readonly name: string;
  /** Calls that a person was asked about without need. */
  readonly asked: readonly string[];
}

export type InjectionResult = AttackResult | TaskResult;

/** Grants for reading from outside, as a user who does so every day would give. */
const allowed = ['open_link', 'read_mail', 'tickets'];

export async function attackResult(attack: Attack): Promise<AttackResult> {
  const { harm: on, denied } = await perform(attack.steps, 'on');
  const { harm: off } = await perform(attack.steps, 'off');
  return { kind: 'attack', attack, harm: { on, off }, denied };
}

export async function taskResult({ name, steps }: Task): Promise<TaskResult> {
  return { kind: 'task', name, asked: (await perform(steps, 'on', allowed)).asked };
}

/** Figures, and results worth naming. */
export function reportInjection(results: readonly InjectionResult[]): string {
  const all = results.filter((each) => each.kind === 'attack');
  const done = results.filter((each) => each.kind === 'task');
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
