import type { Kit } from './kit.ts';

/** Defines the console. */
export function guestConsole(kit: Kit): void {
  const textOf = (values: unknown[]): string => values.map((value) => kit.show(value)).join(' ');
  const printer =
    (level: string) =>
    (...values: unknown[]): void =>
      kit.print(level, textOf(values));
  const counts = new Map<string, number>();
  const starts = new Map<string, number>();
  const log = printer('LOG');
  const elapsed = (label: string): string => `${label}: ${Number(kit.ask('now')) - (starts.get(label) ?? 0)}ms`;

  kit.print = (level, text) => kit.say({ type: 'console', level, text: kit.cut(text) });
  kit.define('console', {
    log,
    dir: (value: unknown) => log(value),
    table: (value: unknown) => log(value),
    group: log,
    groupCollapsed: log,
    groupEnd: () => undefined,
    trace: log,
    info: printer('INFO'),
    warn: printer('WARN'),
    error: printer('ERROR'),
    debug: printer('DEBUG'),
    assert: (isTrue: unknown, ...values: unknown[]) => {
      if (!isTrue) kit.print('ERROR', ['Assertion failed', ...values.map((value) => kit.show(value))].join(' '));
    },
    count: (label = 'default') => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      log(`${label}: ${counts.get(label)}`);
    },
    countReset: (label = 'default') => counts.delete(label),
    time: (label = 'default') => starts.set(label, Number(kit.ask('now'))),
    timeLog: (label = 'default') => log(elapsed(label)),
    timeEnd: (label = 'default') => {
      log(elapsed(label));
      starts.delete(label);
    },
  });
}
