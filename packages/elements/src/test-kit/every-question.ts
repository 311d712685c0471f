import { createRecords, createRegistry, defineTool, jsonSchema, openSettings, option } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import type { LitElement } from 'lit';
import { UtensilApproval } from '../approval/approval.ts';
import { UtensilCall } from '../call/call.ts';
import { UtensilSettings } from '../settings/settings.ts';

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
const asked = { callId: '1', name: 'translate', title: 'Translate', input };

/** Puts settings, a call and a question of each kind into the page. */
export async function showEveryQuestion(): Promise<readonly LitElement[]> {
  const registry = createRegistry([translate]);
  const settings = await openSettings(createRecords(memoryStorage()), 'project');
  const result = {
    isError: false,
    output: input,
    modelParts: [{ type: 'text', text: 'Done.' }],
    userView: preview,
  } as const;
  const inner = [{ ...asked, status: 'failed', inner: [] }] as const;
  const call = { ...asked, status: 'done', durationMs: 5, inner, result } as const;
  const question = {
    ...asked,
    questionId: 'q',
    kind: 'approval',
    runId: '1',
    effects: 'destructive',
    preview,
  } as const;
  const models = { list: () => [{ id: 'small' }] };
  const elements = [
    Object.assign(new UtensilSettings(), { registry, settings, host: {}, models }),
    Object.assign(new UtensilCall(), { call, open: true }),
    Object.assign(new UtensilApproval(), { question, registry }),
    Object.assign(new UtensilApproval(), { question: { ...question, kind: 'recovery' } as const, registry }),
    Object.assign(new UtensilApproval(), { question: { ...question, kind: 'input' } as const, registry }),
  ];
  for (const element of elements) {
    document.body.append(element);
    await element.updateComplete;
  }
  return elements;
}
