import type { Message } from '@utensil/core';
import { beforeAll, expect, it } from 'vitest';
import { cdp } from 'vitest/browser';
import { mount } from '../../../../tooling/elements/mount.ts';
import { UtensilCall } from '../call/call.ts';
import { UtensilThread } from '../thread/thread.ts';

interface Protocol {
  send(method: 'Emulation.setEmulatedMedia', parameters: object): Promise<unknown>;
}

async function preferMotion(value: 'reduce' | ''): Promise<void> {
  const features = [{ name: 'prefers-reduced-motion', value }];
  await (cdp() as unknown as Protocol).send('Emulation.setEmulatedMedia', { features });
}

beforeAll(async () => {
  await preferMotion('reduce');
  return () => preferMotion('');
});

/** The names of the animations below an element. */
function animationsIn(element: UtensilCall): readonly string[] {
  const inside = [...element.renderRoot.querySelectorAll('*')];
  return [...new Set(inside.map((each) => getComputedStyle(each).animationName))];
}

it('nothing moves if a person prefers less motion; otherwise running calls spin', async () => {
  const call = { callId: 'c', name: 'look', title: 'Look', status: 'running', input: {}, inner: [] } as const;
  const element = await mount(UtensilCall, { call });
  expect(animationsIn(element)).toEqual(['none']);
  await preferMotion('');
  expect(animationsIn(element)).toContain('turn');
  await preferMotion('reduce');
});

it('a thread stays at its end there, too, as its rows take their heights', async () => {
  const messages = Array.from({ length: 300 }, (_, index): Message => {
    const list = Array.from({ length: index % 12 }, (_, item) => `- item ${item}`).join('\n');
    const text = `## Answer ${index}\n\n${list}\n\n\`\`\`js\nlet a = ${index};\n\`\`\`\n`;
    return { id: `m${index}`, role: 'assistant', parts: [{ type: 'text', text }], createdAt: 0 };
  });
  const element = await mount(UtensilThread, { messages: [] });
  element.style.cssText = 'block-size: 600px';
  const frames = async (): Promise<void> => {
    for (let frame = 0; frame < 12; frame++) {
      await new Promise((then) => requestAnimationFrame(then));
      await element.updateComplete;
    }
  };
  const distanceToEnd = (): number => {
    const { scrollHeight = Infinity, scrollTop = 0, clientHeight = 0 } = element.scroller ?? {};
    return scrollHeight - scrollTop - clientHeight;
  };
  await frames();
  element.messages = messages;
  await frames();
  expect(distanceToEnd()).toBeLessThan(50);
});
