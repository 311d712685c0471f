import {
  createFiles,
  createRecords,
  createRegistry,
  emptySettings,
  openSettings,
  resolveToolset,
  run,
} from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it, onTestFinished, vi } from 'vitest';
import { forbidDoubleUpdates } from '../../../../tooling/elements/double-updates.ts';
import { UtensilFiles } from '../files/files.ts';
import { UtensilSettings } from '../settings/settings.ts';
import { UtensilThread } from '../thread/thread.ts';

forbidDoubleUpdates();

/** A source that remembers who listens to it. */
function counted<Source extends object>(source: Source, listening: Set<unknown>): Source {
  const follow =
    (listen: (...given: never[]) => () => void) =>
    (...given: never[]) => {
      const stop = listen(...given);
      listening.add(stop);
      return () => {
        listening.delete(stop);
        stop();
      };
    };
  return new Proxy(source, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      const isFollowed = name === 'subscribe' || name === 'watch';
      return isFollowed ? follow(value as (...given: never[]) => () => void) : value;
    },
  });
}

/** Counts the elements that listen to the page. */
function pageListeners(): () => number {
  const listeners = new Set<unknown>();
  const spies = [window, document].flatMap((target) => [
    vi
      .spyOn(target, 'addEventListener')
      .mockImplementation((_: string, listener: unknown) => void listeners.add(listener)),
    vi
      .spyOn(target, 'removeEventListener')
      .mockImplementation((_: string, listener: unknown) => void listeners.delete(listener)),
  ]);
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return () => listeners.size;
}

it('leaves nobody listening when elements are gone, however often they were moved', async () => {
  const listening = new Set<unknown>();
  const registry = counted(createRegistry(), listening);
  const files = counted(createFiles(memoryStorage()), listening);
  await files.write('/a.md', 'a');
  const settings = counted(await openSettings(createRecords(memoryStorage()), 'p'), listening);
  const going = run({
    model: scriptedModel([{ text: 'Hi' }]),
    toolset: resolveToolset(createRegistry(), emptySettings, {}),
    messages: 'Hi',
  });
  const elements = [
    Object.assign(new UtensilSettings(), { registry, settings }),
    Object.assign(new UtensilFiles(), { files, path: '/a.md' }),
    Object.assign(new UtensilThread(), { registry, messages: [], run: going }),
  ];
  const onPage = pageListeners();
  for (let time = 0; time < 3; time++) {
    const parent = document.createElement('div');
    document.body.append(parent);
    parent.append(...elements);
    for (const element of elements) await element.updateComplete;
    await expect.poll(() => listening.size).toBe(5);
    document.body.append(...elements);
    for (const element of elements) await element.updateComplete;
    await expect.poll(() => listening.size).toBe(5);
    elements.forEach((element) => element.remove());
    parent.remove();
    await going.result;
    await expect.poll(() => ({ sources: listening.size, page: onPage() })).toEqual({ sources: 0, page: 0 });
  }
});
