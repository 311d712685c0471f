import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { hmacSeals } from '../../base/seals.ts';
import type { JsonObject } from '../../base/json.ts';
import { createRecords } from '../../records/records.ts';
import type { RecordStore } from '../../records/records.ts';
import type { Explanation, Rule, RuleSubject } from '../../rules/rule.ts';
import { openSettings } from '../../settings/store.ts';
import type { SettingsStore } from '../../settings/store.ts';
import { play, resultsOf, testSeals, tool, toolsetOf } from '../../test-kit/runs.ts';
import type { Tool } from '../../tool/tool.ts';
import { settingsGrants } from './settings-grants.ts';
import { permissions } from './policy.ts';
import { guard } from '../guard/guard.ts';
import { settingsPolicy } from './settings-policy.ts';
import { settingsRules } from './settings-rules.ts';
import type { SettingsRulesOptions } from './settings-rules.ts';

const noon = Date.UTC(2026, 10, 23, 12);
const tomorrow = noon + 24 * 60 * 60 * 1_000;

/** The rules of a project, over a storage that several programs may have open. */
async function opened(more: Partial<SettingsRulesOptions> = {}, records: RecordStore = createRecords(memoryStorage())) {
  const settings = await openSettings(records, 'p');
  return {
    records,
    settings,
    rules: settingsRules(settings, { seals: testSeals, scope: 'p', now: () => noon, ...more }),
  };
}

const call = (name: string, input: JsonObject = {}, more: Partial<RuleSubject> = {}): RuleSubject => ({
  name,
  input,
  effects: 'write',
  openWorld: false,
  ...more,
});
const shell = (command: string): RuleSubject => call('shell', { command }, { effects: 'destructive' });

type Explaining = { explain(call: RuleSubject): Promise<Explanation | undefined> };
const decided = async ({ explain }: Explaining, subject: RuleSubject): Promise<string> =>
  (await explain(subject))?.decision ?? 'none';

/** Ten rules of a coding agent: two by its administrator, seven by its user, and one by the project. */
const admin: readonly Rule[] = [
  { decision: 'deny', when: [{ field: ['path', 'paths', 'from', 'to'], path: ['.env*', '.git/**'] }] },
  { decision: 'ask', tool: 'shell', when: [{ field: 'command', command: 'git push*' }] },
];
const own: readonly Rule[] = [
  { decision: 'deny', tool: 'shell', when: [{ field: 'command', command: 'rm *' }] },
  {
    decision: 'allow',
    tool: ['write_files', 'edit_file'],
    when: [{ field: ['path', 'paths'], path: 'src/**' }],
    expires: tomorrow,
  },
  { decision: 'allow', tool: 'shell', when: [{ field: 'command', command: ['git *', 'npm test'] }] },
  { decision: 'allow', effects: 'read', openWorld: false },
  { decision: 'allow', tool: 'open_link', when: [{ field: 'url', host: ['developer.mozilla.org', '*.nodejs.org'] }] },
  { decision: 'ask', category: 'Mail' },
  { decision: 'allow', tool: 'edit_file', when: [{ field: 'path', path: '.env.example' }] },
];
const project: readonly Rule[] = [{ decision: 'allow', tool: 'mail_*' }];

describe('the ten rules of a coding agent, kept in settings', () => {
  it.each<[string, RuleSubject, string]>([
    ['an edit in src', call('edit_file', { path: 'src/a/b.ts' }), 'allow'],
    ['an edit beside src', call('edit_file', { path: 'package.json' }), 'none'],
    ['a secret', call('edit_file', { path: 'src/.env.local' }), 'deny'],
    ['a secret that the user allows, and the admin does not', call('edit_file', { path: '.env.example' }), 'deny'],
    ['a status', shell('git status'), 'allow'],
    ['a push that the user allows, and the admin asks about', shell('git push'), 'ask'],
    ['a removal', shell('npm test && rm -rf /'), 'deny'],
    ['a page of the docs', call('open_link', { url: 'https://nodejs.org.evil.test' }, { openWorld: true }), 'none'],
    ['a page below', call('open_link', { url: 'https://docs.nodejs.org/api' }, { openWorld: true }), 'allow'],
    ['a mail, which the project allows', call('mail_send', {}, { category: 'Mail' }), 'ask'],
    ['a list of mails of no category', call('mail_list'), 'allow'],
  ])('decide over %s, after another process has opened them', async (_, subject, decision) => {
    const { records, rules, settings } = await opened({ admin, project });
    for (const rule of own) await rules.put(rule);
    await settings.close();
    const later = await opened({ admin, project }, records);
    expect(await decided(later.rules, subject)).toBe(decision);
    await later.settings.close();
  });

  it('are listed with whose they are, and only the user’s have ids', async () => {
    const { rules } = await opened({ admin, project, now: () => tomorrow });
    for (const rule of own) await rules.put(rule);
    const listed = await rules.list();
    expect(listed.map(({ layer }) => layer.slice(0, 1)).join('')).toBe(`aa${'u'.repeat(own.length)}p`);
    expect(listed.map(({ id }) => id !== undefined)).toEqual(listed.map(({ layer }) => layer === 'user'));
    expect(listed.filter(({ isExpired }) => isExpired).map(({ rule }) => rule)).toEqual([own[1]]);
    expect(listed.some(({ problem }) => problem !== undefined)).toBe(false);
  });
});

describe('rules that another program wrote', () => {
  const allowAll: Rule = { decision: 'allow' };

  it('let nothing run: what allows is asked about without a seal of this app, and says so', async () => {
    const { settings, rules } = await opened();
    await settings.update((all) => ({ ...all, rules: [{ id: 'x', rule: allowAll }] }));
    expect(await rules.explain(call('a'))).toMatchObject({ decision: 'ask', isUncertain: true, eachTime: true });
    expect((await rules.list())[0]?.problem).toContain('no seal of this app');
    const elsewhere = settingsRules(settings, { seals: hmacSeals(new Uint8Array(32)), scope: 'p' });
    await elsewhere.put(allowAll, 'x');
    expect((await rules.explain(call('a')))?.text).toContain('seal does not fit');
    await rules.put(allowAll, 'x'); // the user saves it again
    expect(await decided(rules, call('a'))).toBe('allow');
  });

  it('let nothing run that are sealed for another project, or were changed since', async () => {
    const one = await opened();
    await one.rules.put({ decision: 'allow', tool: 'a' });
    const copied = one.settings.current().rules ?? [];
    const other = await opened({ scope: 'q' });
    await other.settings.update((all) => ({ ...all, rules: copied }));
    expect(await decided(other.rules, call('a'))).toBe('ask');
    await one.settings.update((all) => ({ ...all, rules: copied.map((each) => ({ ...each, rule: allowAll })) }));
    expect(await decided(one.rules, call('b'))).toBe('ask');
  });

  it.each<[string, unknown]>([
    ['of a newer version', { id: 'n', rule: { decision: 'allow', unless: 1 } }],
    ['without a rule', { id: 'n' }],
    ['that is nothing', null],
    ['with a prototype', JSON.parse('{"id":"n","rule":{"__proto__":{"decision":"allow"},"decision":"deny"}}')],
  ])('and cannot be read, such as one %s, ask, stay, and can be removed', async (_, entry) => {
    const { settings, rules } = await opened();
    await settings.update((all) => ({ ...all, rules: [entry as never] }));
    expect(await rules.explain(call('a'))).toMatchObject({ decision: 'ask', eachTime: true });
    await rules.put({ decision: 'deny', tool: 'b' });
    expect(settings.current().rules?.[0]).toEqual(entry);
    const [odd] = await rules.list();
    expect(odd?.problem).toBeDefined();
    await rules.remove(odd?.id ?? '');
    expect(await decided(rules, call('a'))).toBe('none');
  });

  it('still deny and ask: those need no seal', async () => {
    const { settings, rules } = await opened();
    const rule: Rule = { decision: 'deny', tool: 'a' };
    await settings.update((all) => ({ ...all, rules: [{ id: 'x', rule }] }));
    expect(await decided(rules, call('a'))).toBe('deny');
  });
});

describe('a clock that is set back', () => {
  it('does not revive an allow that was over, in this process or in another', async () => {
    let now = noon;
    const { records, rules, settings } = await opened({ now: () => now });
    await rules.put({ decision: 'allow', tool: 'a', expires: tomorrow });
    expect(await decided(rules, call('a'))).toBe('allow');
    now = tomorrow;
    expect(await decided(rules, call('a'))).toBe('none');
    now = noon;
    expect(await decided(rules, call('a'))).toBe('none');
    await settings.close();
    const later = await opened({ now: () => noon }, records);
    expect(await decided(later.rules, call('a'))).toBe('ask');
    expect(later.settings.current().rules?.[0]?.rule.expires).toBe(tomorrow); // the user sees it, and may save it again
  });

  it('does not revive a grant that was seen to be over', async () => {
    const { settings } = await opened();
    const grantsAt = (time: number) =>
      settingsGrants(settings, { seals: testSeals, scope: 'p', lifetimeMs: 10, now: () => time });
    const grant = { name: 'a', toolFingerprint: 'f' };
    await grantsAt(0).add(grant);
    expect(await grantsAt(9).has(grant)).toBe(true);
    expect(await grantsAt(10).has(grant)).toEqual({ ignored: 'its time is over' });
    expect(await grantsAt(9).has(grant)).toBe(false);
  });
});

it('one grant of a tool took the place of every other: each user and each scope has its own', async () => {
  const { settings } = await opened();
  const grantsOf = (scope: string | readonly string[]) => settingsGrants(settings, { seals: testSeals, scope });
  const of = (principal: string) => ({ name: 'a', toolFingerprint: 'f', principal });
  await grantsOf('p').add(of('ada'));
  await grantsOf('p').add(of('bob'));
  await grantsOf(['thread', 'p']).add(of('eve'));
  const counting = async (scope: string | readonly string[]): Promise<readonly boolean[]> =>
    Promise.all(['ada', 'bob', 'eve'].map(async (by) => (await grantsOf(scope).has(of(by))) === true));
  expect(await counting('p')).toEqual([true, true, false]);
  expect(await counting(['thread', 'p'])).toEqual([true, true, true]);
});

it('rules hold from the next call of a run on, and a rule taken back elsewhere lets nothing more run', async () => {
  const records = createRecords(memoryStorage());
  const deaf = { ...records, watch: () => () => {} }; // a storage that does not report changes by others
  const here = await opened({}, deaf);
  const elsewhere = await opened({}, records);
  const id = await here.rules.put({ decision: 'allow', tool: 'save' });
  const saved: unknown[] = [];
  const save: Tool = tool('save', {
    effects: 'write',
    async execute(input) {
      saved.push(input);
      await elsewhere.rules.remove(id);
    },
  });
  const policy = settingsPolicy(here.rules, { otherwise: () => 'deny' });
  const script = [{ calls: [{ name: 'save', input: { n: 1 } }] }, { calls: [{ name: 'save', input: { n: 2 } }] }, {}];
  const { messages } = await play(script, [save], { policy }).result;
  expect(saved).toEqual([{ n: 1 }]);
  expect(resultsOf(messages)[1]).toMatchObject({ isError: true });
});

it('rules for a tool under its earlier name forbid and ask under the present one; what they allow is allowed again', async () => {
  const page = tool('fetch_page', { formerNames: ['get_page'], effects: 'read' });
  const signal = new AbortController().signal;
  const outcome = async (decision: Rule['decision']): Promise<unknown> => {
    const { rules } = await opened();
    await rules.put({ decision, tool: 'get_page' });
    const guarded = guard(toolsetOf([page]), {
      policy: settingsPolicy(rules, { otherwise: () => 'deny' }),
      ask: () => 'later',
    });
    return (await guarded.execute({ name: 'get_page', input: {} }, { projectId: 'p', runId: 'r', callId: 'c', signal }))
      .code;
  };
  expect(await Promise.all((['deny', 'ask', 'allow'] as const).map(outcome))).toEqual([
    'tool_denied',
    'approval_pending',
    'tool_denied',
  ]);
});

it('a rule that cannot be used is refused with its reason, and nothing is stored', async () => {
  const { rules, settings } = await opened();
  const bad: readonly Rule[] = [
    { decision: 'deny', when: [{ field: 'url', host: 'https://x.test/' }] },
    { decision: 'deny', when: [{ field: 'path', path: 'a\\b' }] },
    { decision: 'maybe' } as unknown as Rule,
  ];
  for (const rule of bad) await expect(rules.put(rule)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(settings.current().rules).toBeUndefined();
});

it('asks while the key cannot be used, and goes by the rule once it can', async () => {
  let isLocked = false;
  const seals = {
    ...testSeals,
    fits: (...given: Parameters<typeof testSeals.fits>) =>
      isLocked ? Promise.reject(new Error('The keychain is locked.')) : testSeals.fits(...given),
  };
  const { rules, settings, records } = await opened({ seals });
  await rules.put({ decision: 'allow', tool: 'a' });
  await settings.close();
  isLocked = true;
  const later = await opened({ seals }, records);
  expect(await later.rules.explain(call('a'))).toMatchObject({
    decision: 'ask',
    text: expect.stringContaining('locked'),
  });
  isLocked = false;
  expect(await decided(later.rules, call('a'))).toBe('allow');
});

it('asks if what is stored cannot be looked at before an allow counts', async () => {
  const { rules, settings } = await opened();
  await rules.put({ decision: 'allow', tool: 'a' });
  const blind: SettingsStore = { ...settings, reload: () => Promise.reject(new Error('The disk is gone.')) };
  const found = await settingsRules(blind, { seals: testSeals, scope: 'p' }).explain(call('a'));
  expect(found).toMatchObject({ decision: 'ask', eachTime: true, text: expect.stringContaining('The disk is gone.') });
});

it.each<[string, Partial<SettingsRulesOptions>]>([
  ['no rule is about it', {}],
  ['the admin allows it', { admin: [{ decision: 'allow', tool: 'a' }] }],
  ['the project allows it', { project: [{ decision: 'allow', tool: 'a' }] }],
])('a call ran that was denied in another process a moment ago, where %s', async (_, more) => {
  const records = createRecords(memoryStorage());
  const deaf: RecordStore = { ...records, watch: () => () => undefined }; // the storage does not report changes by other processes
  const here = await opened(more, deaf);
  const there = await opened({}, records);
  expect(await decided(here.rules, call('a'))).not.toBe('deny');
  await there.rules.put({ decision: 'deny', tool: 'a' });
  expect(await decided(here.rules, call('a'))).toBe('deny');
});

it('if a user’s rule asks about an input, a grant of the tool does not answer it; if it asks about the tool, it does', async () => {
  const { rules, settings } = await opened();
  const grants = settingsGrants(settings, { seals: testSeals, scope: 'p' });
  const send = tool('send', { effects: 'write' });
  const { toolFingerprint = '' } = await toolsetOf([send]).prepare({ name: 'send', input: {} });
  await grants.add({ name: 'send', toolFingerprint });
  const asked = async (): Promise<boolean> => {
    const running = play([{ calls: [{ name: 'send', input: { to: 'ada' } }] }, {}], [send], {
      policy: settingsPolicy(rules, { otherwise: permissions('write') }),
      grants,
    });
    let isAsked = false;
    for await (const event of running.events()) {
      if (event.type !== 'approval-request') continue;
      isAsked = true;
      running.answer(event.questionId, 'deny');
    }
    return isAsked;
  };
  expect(await asked()).toBe(false);
  const id = await rules.put({ decision: 'ask', tool: 'send' });
  expect(await asked()).toBe(false);
  await rules.put({ decision: 'ask', tool: 'send', when: [{ field: 'to', text: 'a*' }] }, id);
  expect(await asked()).toBe(true);
});

it('a thousand rules are compiled once for many calls, and one that is edited changes what is decided', async () => {
  const { rules, settings } = await opened();
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    id: `${at}`,
    rule: { decision: 'deny', tool: 'edit', when: [{ field: 'path', path: `${'*a'.repeat(20)}/**/x${at}` }] } as Rule,
  }));
  await settings.update((all) => ({ ...all, rules: many }));
  const path = `/${'a'.repeat(200)}/b/c/d/e/f`;
  for (let index = 0; index < 3; index++) expect(await decided(rules, call('edit', { path }))).toBe('none');
  await rules.put({ decision: 'deny', tool: 'edit' }, '500');
  expect(await decided(rules, call('edit', { path }))).toBe('deny');
  expect(settings.current().rules).toHaveLength(1_000);
});
