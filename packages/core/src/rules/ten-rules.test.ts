import { expect, it } from 'vitest';
import { compileRules } from './rule-set.ts';
import type { Rule, Rules, RuleSubject } from './rule.ts';

const noon = Date.UTC(2026, 10, 23, 12);
const tomorrow = noon + 24 * 60 * 60 * 1_000;

/** The ten rules of a coding agent, as an app would store them. */
const rules: Rules = {
  admin: [
    { decision: 'deny', when: [{ field: ['path', 'paths', 'from', 'to'], path: ['.env*', '.git/**', '**/id_rsa'] }] },
    { decision: 'deny', tool: 'shell', when: [{ field: 'command', command: ['rm *', 'curl * | sh'] }] },
    { decision: 'ask', tool: 'shell', when: [{ field: 'command', command: 'git push*' }] },
  ],
  user: [
    {
      decision: 'allow',
      tool: ['write_files', 'edit_file'],
      when: [{ field: ['path', 'paths'], path: 'src/**' }],
      expires: tomorrow,
    },
    {
      decision: 'allow',
      tool: 'shell',
      when: [{ field: 'command', command: ['git status*', 'git diff*', 'npm test'] }],
    },
    { decision: 'allow', effects: 'read', openWorld: false },
    { decision: 'allow', tool: 'open_link', when: [{ field: 'url', host: ['developer.mozilla.org', '*.nodejs.org'] }] },
    { decision: 'ask', category: 'Mail' },
  ],
  project: [
    { decision: 'allow', tool: 'mail_*' },
    { decision: 'deny', tool: 'open_link', when: [{ field: 'url', host: '*.example' }], reason: 'Use the mirror.' },
  ],
};

const call = (name: string, input: RuleSubject['input'], more: Partial<RuleSubject> = {}): RuleSubject => ({
  name,
  input,
  effects: 'write',
  openWorld: false,
  ...more,
});
const shell = (command: string): RuleSubject => call('shell', { command }, { effects: 'destructive' });
const open = (url: string): RuleSubject => call('open_link', { url }, { effects: 'read', openWorld: true });

const set = compileRules(JSON.parse(JSON.stringify(rules)) as Rules);
const decided = (subject: RuleSubject, now = noon): string => set.explain(subject, now)?.decision ?? 'none';

it.each<[string, RuleSubject, string]>([
  ['an edit in src', call('edit_file', { path: 'src/a/b.ts' }), 'allow'],
  ['an edit beside src', call('edit_file', { path: '/srcs/b.ts' }), 'none'],
  ['an edit that leaves src', call('edit_file', { path: 'src/../package.json' }), 'none'],
  ['files of which one is elsewhere', call('write_files', { paths: ['src/a.ts', 'package.json'] }), 'none'],
  ['files of which one is secret', call('write_files', { paths: ['src/a.ts', 'src/.env.local'] }), 'deny'],
  ['a secret in another case', call('read_file', { path: '/app/.ENV' }, { effects: 'read' }), 'deny'],
  ['a secret by way of a folder', call('read_file', { path: '/app/x/../.env' }, { effects: 'read' }), 'deny'],
  ['the folder of git itself', call('delete', { path: '/.git' }), 'deny'],
  ['a folder around it', call('delete', { path: '/' }), 'ask'],
  ['a name with a backslash', call('read_file', { path: 'src\\..\\.env' }, { effects: 'read' }), 'ask'],
  ['any other file', call('read_file', { path: '/app/x' }, { effects: 'read' }), 'allow'],
  ['a status', shell('git status --short'), 'allow'],
  ['two commands that are allowed', shell('git status && git diff HEAD~1'), 'allow'],
  ['a status and more', shell('git status; npm publish'), 'none'],
  ['a status and the worst', shell('git status; rm -rf /'), 'deny'],
  ['a push', shell('git push --force'), 'ask'],
  ['a push behind other things', shell('cd /tmp && GIT_DIR=x /usr/bin/git "push"'), 'ask'],
  ['a push in a substitution', shell('echo $(git push)'), 'ask'],
  ['a page of the docs', open('https://developer.mozilla.org/en-US/docs'), 'allow'],
  ['a page below', open('https://docs.nodejs.org/api'), 'allow'],
  ['a page of others', open('https://developer.mozilla.org.evil.test/'), 'none'],
  ['a page with a trick', open('https://developer.mozilla.org@evil.test/'), 'ask'],
  ['a page that is denied', open('https://www.shop.example./x'), 'deny'],
  [
    'a mail, which the project allows and the user wants to be asked about',
    call('mail_send', {}, { category: 'Mail' }),
    'ask',
  ],
  ['a list of mails of no category', call('mail_list', {}), 'allow'],
])('the ten rules of a coding agent decide over %s', (_, subject, decision) => {
  expect(decided(subject)).toBe(decision);
});

it('a rule that has expired does not count', () => {
  const edit = call('edit_file', { path: 'src/a.ts' });
  expect([decided(edit, tomorrow - 1), decided(edit, tomorrow)]).toEqual(['allow', 'none']);
});

it('says which rule has decided, and whose it is', () => {
  expect(set.explain(shell('git push'), noon)).toMatchObject({
    layer: 'admin',
    eachTime: true,
    text: 'The rule "shell: git push*" of the administrator asks before this call.',
  });
  expect(set.explain(open('https://x.example'), noon)?.rule.reason).toBe('Use the mirror.');
});

it.each<[string, unknown]>([
  ['of a newer version', { decision: 'allow', unless: 1 }],
  ['with a condition of a newer version', { decision: 'allow', tool: 'a', when: [{ field: 'x', regex: '.*' }] }],
  ['without a decision', { tool: 'a' }],
  ['with a pattern that is none', { decision: 'allow', when: [{ field: 'path', path: 'a\\b' }] }],
  ['with a host that is none', { decision: 'deny', when: [{ field: 'url', host: 'a/b' }] }],
  ['that is no object', null],
  ['with an odd end', { decision: 'deny', expires: 'tomorrow' }],
])('a rule that cannot be read, %s, was taken for one that allows or for none: it asks', (_, rule) => {
  const found = compileRules([rule as Rule]).explain(call('a', {}), noon);
  expect(found).toMatchObject({ decision: 'ask', isUncertain: true, eachTime: true });
});

it('a rule that cannot be read asks about its own tools alone', () => {
  const odd = { decision: 'deny', tool: 'a', when: 7 } as unknown as Rule;
  const others = compileRules([odd, { decision: 'allow' }]);
  expect(['a', 'b'].map((name) => others.explain(call(name, {}), noon)?.decision)).toEqual(['ask', 'allow']);
});

it('a tool that was renamed slipped through what was denied under its earlier name', () => {
  const subject = call('fetch_page', {}, { formerNames: ['get_page'] });
  const by = (decision: Rule['decision']) => compileRules([{ decision, tool: 'get_page' }]).explain(subject, noon);
  expect([by('deny')?.decision, by('ask')?.decision, by('allow')]).toEqual(['deny', 'ask', undefined]);
});

it('a rule is for its projects and users alone', () => {
  const scoped = compileRules([{ decision: 'allow', scope: { projectId: ['p', 'q'], principal: 'ada' } }]);
  const by = (projectId: string, principal?: string) =>
    scoped.explain(call('a', {}, { projectId, principal }), noon)?.decision;
  expect([by('p', 'ada'), by('q', 'ada'), by('r', 'ada'), by('p', 'bob'), by('p')]).toEqual([
    'allow',
    'allow',
    undefined,
    undefined,
    undefined,
  ]);
});
