import { useEffect, useSyncExternalStore } from 'react';
import type { FunctionComponent, ReactElement } from 'react';
import { createListeners } from '@utensil/core/storage';
import { Notice } from './notice.tsx';
import { useTexts } from './use-texts.ts';

/** A component whose code is loaded when it is first shown, or preloaded. */
export interface Later<Props> {
  (props: Props): ReactElement | null;
  /** Preloads the code. Does not reject: the component shows the failure. */
  load(): Promise<void>;
}

/** Shows `placeholder` until the code is loaded; shown at once if it was preloaded. */
export function later<Props extends object>(
  get: () => Promise<FunctionComponent<Props>>,
  placeholder: ReactElement | null = null,
): Later<Props> {
  const { notify, subscribe } = createListeners();
  let state: { readonly Loaded?: FunctionComponent<Props>; readonly hasFailed?: boolean } = {};
  let loading: Promise<void> | undefined;

  function change(next: typeof state): void {
    state = next;
    notify();
  }

  function load(): Promise<void> {
    loading ??= get().then(
      (Loaded) => change({ Loaded }),
      () => {
        loading = undefined;
        change({ hasFailed: true });
      },
    );
    return loading;
  }

  function Component(props: Props): ReactElement | null {
    const { Loaded, hasFailed } = useSyncExternalStore(subscribe, () => state);
    useEffect(() => void load(), []);
    if (Loaded !== undefined) return <Loaded {...props} />;
    return hasFailed === true ? <NotLoaded /> : placeholder;
  }
  return Object.assign(Component, { load });
}

function NotLoaded(): ReactElement {
  return <Notice text={useTexts().app.partNotLoaded} />;
}
