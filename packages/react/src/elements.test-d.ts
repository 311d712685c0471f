import type { Message, Run, SettingsStore } from '@utensil/core';
import type { AnswerDetail } from '@utensil/elements/approval';
import type { UtensilThread as ThreadElement } from '@utensil/elements/thread';
import { createElement, createRef } from 'react';
import type { ComponentProps } from 'react';
import { expectTypeOf } from 'vitest';
import { UtensilApproval, UtensilDiff, UtensilFiles, UtensilSettings, UtensilThread } from './elements.ts';
import type { ThreadProps } from './elements.ts';
import { useRun, useSettings, useThread } from './index.ts';

// A component accepts properties of its element, its events, and the attributes of any element.
declare const messages: readonly Message[] | undefined;
declare const run: Run | undefined;
createElement(UtensilThread, {
  messages,
  run,
  ref: createRef<ThreadElement>(),
  className: 'a',
  id: 'b',
  style: { height: '20rem' },
  'aria-label': 'Conversation',
  children: 'Loading',
  onAnswer: ({ detail }) => expectTypeOf(detail).toEqualTypeOf<AnswerDetail>(),
  onEdit: ({ detail }) => expectTypeOf(detail).toEqualTypeOf<{ readonly messageId: string; readonly text: string }>(),
});
expectTypeOf<ComponentProps<typeof UtensilThread>>().toEqualTypeOf<ThreadProps>();
expectTypeOf<ThreadProps['messages']>().toEqualTypeOf<readonly Message[] | undefined>();

// @ts-expect-error -- messages are no text
createElement(UtensilThread, { messages: 'Hello' });
// @ts-expect-error -- there is no such property
createElement(UtensilThread, { message: [] });
// @ts-expect-error -- what an element is without it, no one gives
createElement(UtensilThread, { editing: 'id' });
// @ts-expect-error -- an answer has no text
createElement(UtensilApproval, { onAnswer: ({ detail }) => detail.text });
// @ts-expect-error -- a thread is no approval
createElement(UtensilApproval, { ref: createRef<ThreadElement>() });
// @ts-expect-error -- settings are given as their store
createElement(UtensilSettings, { settings: { version: 2, tools: {} } });
// @ts-expect-error -- a text is no number
createElement(UtensilDiff, { oldText: 1 });
// @ts-expect-error -- the event of files is not the one of inputs
createElement(UtensilFiles, { onSelect: (event: InputEvent) => event.data });

// Hooks accept undefined sources.
expectTypeOf(useRun).parameter(0).toExtend<Pick<Run, 'events'> | undefined>();
expectTypeOf(useThread(undefined).messages).toEqualTypeOf<readonly Message[] | undefined>();
declare const store: SettingsStore;
expectTypeOf(useSettings(store).settings).toEqualTypeOf<ReturnType<SettingsStore['current']>>();
// @ts-expect-error -- a store of settings has to be open
useSettings(undefined);
