import { createRegistry, defineTool, jsonSchema } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { createElement, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { describe, expect, it } from 'vitest';
import { counted, renderHook } from './test-kit/render.ts';
import { useRegistry } from './use-registry.ts';

const tool = (name: string): Tool =>
  defineTool({ name, description: name, input: jsonSchema({ type: 'object' }), effects: 'read', execute: () => name });

describe('useRegistry', () => {
  it('renders when a tool comes or goes, and only then', () => {
    const registry = createRegistry([tool('first')]);
    const hook = renderHook(useRegistry, registry);
    flushSync(() => registry.register(tool('second')));
    flushSync(() => registry.unregister('unknown'));
    flushSync(() => registry.unregister('first'));
    expect(hook.seen.map((tools) => tools.map(({ name }) => name))).toEqual([
      ['first'],
      ['first', 'second'],
      ['second'],
    ]);
  });

  it('gives the same array while nothing changes, and follows another registry', () => {
    const [one, other] = [counted(createRegistry([tool('first')])), counted(createRegistry())];
    const hook = renderHook(({ registry }) => useRegistry(registry), { registry: one });
    hook.again({ registry: one });
    expect(hook.seen[1]).toBe(hook.seen[0]);
    hook.again({ registry: other });
    expect(hook.value()).toEqual([]);
    expect([one.count(), other.count()]).toEqual([0, 1]);
    flushSync(() => other.register(tool('second')));
    expect(hook.value()).toHaveLength(1);
  });

  it('listens once in strict mode, and no more when it is gone', () => {
    const registry = counted(createRegistry());
    const hook = renderHook(useRegistry, registry, (node) => createElement(StrictMode, null, node));
    expect(registry.count()).toBe(1);
    hook.unmount();
    expect(registry.count()).toBe(0);
  });

  it('takes registries whose methods need their object', () => {
    class Held {
      tools: readonly Tool[] = [tool('first')];
      subscribe(): () => void {
        return () => void this.tools;
      }
      snapshot(): readonly Tool[] {
        return this.tools;
      }
    }
    expect(renderHook(({ registry }) => useRegistry(registry), { registry: new Held() }).value()).toHaveLength(1);
  });
});
