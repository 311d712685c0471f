import {
  createFiles,
  createRecords,
  createRegistry,
  emptySettings,
  openSettings,
  openThread,
  resolveToolset,
  run,
} from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { createElement, Fragment, StrictMode } from 'react';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as elements from './elements.ts';
import { useFiles, useRegistry, useRun, useSettings, useThread } from './index.ts';

describe('on a server', () => {
  afterEach(() => vi.restoreAllMocks());

  it('hooks give what is known without waiting, and read nothing', async () => {
    const complaints = vi.spyOn(console, 'error');
    const storage = memoryStorage();
    const records = createRecords(storage);
    const settings = await openSettings(records, 'p');
    const registry = createRegistry();
    const thread = openThread(records, 't');
    const toolset = resolveToolset(registry, emptySettings, {});
    const started = run({ model: scriptedModel([{ text: 'Hello!' }]), toolset, messages: 'Hi' });
    const events = vi.spyOn(started, 'events');
    const messages = vi.spyOn(thread, 'read');
    function Page(): ReactNode {
      const known = {
        tools: useRegistry(registry),
        settings: useSettings(settings),
        run: useRun(started).status,
        thread: useThread(thread, started),
        files: useFiles(createFiles(storage)),
      };
      return JSON.stringify(known);
    }
    const markup = renderToString(createElement(StrictMode, null, createElement(Page)));
    expect(JSON.parse(markup.replaceAll('&quot;', '"'))).toEqual({
      tools: [],
      settings: { settings: settings.current() },
      run: 'idle',
      thread: {},
      files: {},
    });
    await started.result;
    expect([events, messages, complaints].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
  });

  it('components render their elements with common attributes and with the fallback content shown until scripts run', () => {
    const complaints = vi.spyOn(console, 'error');
    const { UtensilMarkdown, ...others } = elements;
    const page = createElement(
      Fragment,
      null,
      createElement(
        UtensilMarkdown,
        { className: 'a', id: 'b', text: 'secret', isStreaming: true, onLoadImage() {} },
        'A text',
      ),
      ...Object.values(others).map((Other) => createElement(Other as () => ReactNode)),
    );
    expect(renderToString(page)).toBe(
      '<utensil-markdown class="a" id="b">A text</utensil-markdown>' +
        ['approval', 'call', 'diff', 'files', 'rules', 'settings', 'thread', 'value', 'waiting']
          .map((name) => `<utensil-${name}></utensil-${name}>`)
          .join(''),
    );
    expect(complaints).not.toHaveBeenCalled();
  });
});
