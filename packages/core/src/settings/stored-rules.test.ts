import { describe, expect, it } from 'vitest';
import { createRecords } from '../records/records.ts';
import { memoryStorage } from '@utensil/storage-memory';
import type { Json } from '../base/json.ts';
import { overSettings } from './layers.ts';
import { emptySettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { openSettings } from './store.ts';
import { allGrants, grantsOf, withGrant, withoutGrant } from './stored-grants.ts';
import { ruleIdOf, ruleOf, withoutRule, withRule } from './stored-rules.ts';
import type { Rule } from '../rules/rule.ts';
import type { StoredRule } from './sealed.ts';
import { migrateSettings } from './versions.ts';

const stored = (id: string, tool = id): StoredRule => ({ id, rule: { decision: 'deny', tool } });
const grant = (seal: string, more: object = {}) => ({ toolFingerprint: 'f', expires: 9, seal, ...more });

describe('rules in settings', () => {
  it('are replaced in their place, added at the end, and gone once they are removed', () => {
    const two = withRule(withRule(emptySettings, stored('a')), stored('b'));
    expect(withRule(two, stored('a', 'x')).rules).toEqual([stored('a', 'x'), stored('b')]);
    expect(withoutRule(two, 'a').rules).toEqual([stored('b')]);
    expect(withoutRule(withoutRule(two, 'a'), 'b')).toEqual(emptySettings);
    expect(withoutRule(two, 'c')).toBe(two);
  });

  it('that a newer version or another program wrote stay, are read as none, and can be removed', () => {
    const odd: readonly Json[] = [
      null,
      'x',
      5,
      { rule: null },
      { id: 7 },
      { id: 'n', when: {}, rule: { decision: 'may' } },
    ];
    const settings = migrateSettings({ version: 2, tools: {}, rules: odd });
    expect(withRule(settings, stored('a')).rules).toEqual([...odd, stored('a')]);
    expect(odd.map(ruleOf)).toEqual([undefined, undefined, undefined, null, undefined, { decision: 'may' }]);
    const left = odd.reduce<Settings>((all, each) => withoutRule(all, ruleIdOf(each)), settings);
    expect(left.rules).toBeUndefined();
  });

  it('of the same id, which another program wrote, are not lost when one of them is edited', () => {
    const settings = { ...emptySettings, rules: [stored('a', 'x'), stored('a', 'y')] };
    expect(withRule(settings, stored('a', 'z')).rules).toEqual([stored('a', 'z'), stored('a', 'y')]);
  });

  it('of two tabs that edit at once are all there', async () => {
    const records = createRecords(memoryStorage());
    const [one, two] = [await openSettings(records, 'p'), await openSettings(records, 'p')];
    await Promise.all(
      [one, two].flatMap((tab, at) =>
        [0, 1, 2].map((each) => tab.update((all) => withRule(all, stored(`${at}-${each}`)))),
      ),
    );
    await Promise.all([
      one.update((all) => withRule(all, stored('0-0', 'edited'))),
      two.update((all) => withoutRule(all, '1-0')),
    ]);
    await two.reload();
    expect(
      two
        .current()
        .rules?.map(({ id, rule }) => `${id} ${String(rule.tool)}`)
        .sort(),
    ).toEqual(['0-0 edited', '0-1 0-1', '0-2 0-2', '1-1 1-1', '1-2 1-2']);
    await Promise.all([one.close(), two.close()]);
  });

  it('of a project and of a thread hold both', () => {
    const over = overSettings(
      withRule(emptySettings, stored('a')),
      withRule(withRule(emptySettings, stored('b')), stored('a', 'x')),
    );
    expect(over.rules).toEqual([stored('a'), stored('b'), stored('a', 'x')]);
    expect(overSettings(emptySettings, emptySettings)).toEqual(emptySettings);
  });

  it('of a thread that narrow one of the project were lost, as they have its id', () => {
    const by = (decision: Rule['decision']): StoredRule => ({ id: 'a', rule: { decision, tool: 'shell' } });
    const over = (project: StoredRule, thread: StoredRule): readonly StoredRule[] | undefined =>
      overSettings(withRule(emptySettings, project), withRule(emptySettings, thread)).rules;
    expect(over(by('allow'), by('deny'))).toEqual([by('allow'), by('deny')]);
    expect(over(by('ask'), by('allow'))).toEqual([by('ask')]);
    expect(over(by('deny'), by('deny'))).toEqual([by('deny')]);
  });

  it('that are not a list are rejected, and a `__proto__` in them is data', () => {
    expect(() => migrateSettings({ version: 2, tools: {}, rules: { a: 1 } })).toThrow('"rules" is not a list');
    const hostile = JSON.parse(
      '{"version":2,"tools":{},"rules":[{"id":"__proto__","rule":{"__proto__":{"decision":"allow"}}}]}',
    );
    const settings = withRule(migrateSettings(hostile), stored('__proto__'));
    expect(settings.rules).toEqual([stored('__proto__')]);
    expect(ruleOf(hostile.rules[0]).decision).toBeUndefined();
  });
});

describe('grants in settings', () => {
  it('had one place for each tool: there is one for each user, scope and version of the tool', () => {
    const given = [
      grant('1'),
      grant('2', { principal: 'ada' }),
      grant('3', { scope: 'p' }),
      grant('4', { toolFingerprint: 'g' }),
    ];
    const all = given.reduce((settings, each) => withGrant(settings, 'shell', each), emptySettings);
    expect(grantsOf(all, 'shell')).toEqual(given);
    const again = withGrant(all, 'shell', grant('5', { principal: 'ada' }));
    expect(grantsOf(again, 'shell').map(({ seal }) => seal)).toEqual(['1', '3', '4', '5']);
    expect(allGrants(withoutGrant(again, 'shell', grant('3'))).map(([name, { seal }]) => name + seal)).toEqual([
      'shell1',
      'shell4',
      'shell5',
    ]);
    expect(withoutGrant(again, 'shell')).toEqual(emptySettings);
  });

  it.each<[string, unknown, unknown]>([
    ['a sealed one', grant('s'), [grant('s')]],
    ['the fingerprint that the first version stored', 'f00d', ['f00d']],
    ['something else', null, [null]],
  ])('that version 1 stored stay: %s', (_, one, list) => {
    const old = { version: 1, tools: { a: { enabled: true, grant: one, note: 'kept' }, b: {} }, theme: 'dark' };
    const settings = migrateSettings(old);
    expect(settings).toEqual({
      version: 2,
      theme: 'dark',
      tools: { a: { enabled: true, note: 'kept', grants: list }, b: {} },
    });
    expect(migrateSettings(settings)).toEqual(settings);
    expect(grantsOf(withGrant(settings, 'a', grant('new', { scope: 'p' })), 'a')).toContainEqual(
      grant('new', { scope: 'p' }),
    );
  });

  it('of a tool whose name is a member of every object are its own', () => {
    const all = withGrant(emptySettings, '__proto__', grant('1'));
    expect(allGrants(all)).toEqual([['__proto__', grant('1')]]);
    expect(withoutGrant(all, '__proto__')).toEqual(emptySettings);
    expect(grantsOf(emptySettings, 'constructor')).toEqual([]);
  });
});
