import { createRecords, createRegistry, defineTool, jsonSchema, openSettings, option } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { UtensilApproval } from '../approval/approval.ts';
import { UtensilSettings } from '../settings/settings.ts';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { UtensilCall } from './call.ts';

const translate = defineTool({
  name: 'translate',
  description: '',
  effects: 'write',
  input: jsonSchema({ type: 'object' }),
  options: {
    into: option.text({ label: 'Into', default: 'French' }),
    key: option.secret({ label: 'Key' }),
    order: option.modellist({ label: 'Order', default: ['small'] }),
    tone: option.select({ label: 'Tone', default: 'a', choices: [{ value: 'a', label: 'A' }] }),
  },
  execute: () => '',
});
const input = { path: '/a', text: 'x\n'.repeat(3_000) };
const preview = { type: 'changes', changes: [{ path: '/a', after: 'new' }] };

async function mountAll(): Promise<readonly Element[]> {
  const registry = createRegistry([translate]);
  const settings = await openSettings(createRecords(memoryStorage()), 'project');
  const asked = { callId: '1', name: 'translate', title: 'Translate', input };
  const result = {
    isError: false,
    output: input,
    modelParts: [{ type: 'text', text: 'Done.' }],
    userView: preview,
  } as const;
  const call = {
    ...asked,
    status: 'done',
    durationMs: 5,
    inner: [{ ...asked, status: 'failed', inner: [] }],
    result,
  } as const;
  const question = {
    ...asked,
    questionId: 'q',
    kind: 'approval',
    runId: '1',
    effects: 'destructive',
    preview,
  } as const;
  return [
    await mount(UtensilSettings, { registry, settings, host: {}, models: { list: () => [{ id: 'small' }] } }),
    await mount(UtensilCall, { call, open: true }),
    await mount(UtensilApproval, { question, registry }),
    await mount(UtensilApproval, { question: { ...question, kind: 'recovery' }, registry }),
    await mount(UtensilApproval, { question: { ...question, kind: 'input' }, registry }),
  ];
}

it('can be read in the dark, at any width, in either direction', async () => {
  const { style } = document.documentElement;
  style.colorScheme = 'dark';
  document.body.style.background = '#17181c';
  const elements = await mountAll();
  for (const element of elements) expect(await accessibilityProblems(element)).toEqual([]);
  await page.viewport(320, 640);
  for (const direction of ['ltr', 'rtl']) {
    document.documentElement.dir = direction;
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  }
  document.documentElement.dir = '';
  document.body.style.background = '';
  style.colorScheme = '';
});

// The last one: a policy stays for as long as the page does.
it('works where the page lets no script, style or image in', async () => {
  const violations = vi.fn<(directive: string, sample: string) => void>();
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
    violations(violatedDirective, sample),
  );
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content =
    "require-trusted-types-for 'script'; trusted-types lit-html; style-src 'none'; img-src data:; object-src 'none'";
  document.head.append(policy);
  await mountAll();
  await page.getByRole('button', { name: 'Show all', exact: false }).first().click();
  await page.getByRole('searchbox').fill('x');
  expect(violations.mock.calls).toEqual([]);
  document.body.append(Object.assign(document.createElement('style'), { textContent: 'b {}' }));
  await expect.poll(() => violations).toHaveBeenCalled(); // the policy holds
});
