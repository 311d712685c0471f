import { calls } from '../../toolset/calls.ts';

/** Loads every module that runs load lazily: from then on, an idle run waits only for outside events. */
export async function preload(): Promise<void> {
  await Promise.all([
    import('../../base/hmac.ts'),
    import('../../base/sha256.ts'),
    import('../../call/invalid-values.ts'),
    import('../../run/questions/answers.ts'),
    import('../../run/calls/background.ts'),
    import('../../run/outermost-run.ts'),
    import('../../run/inner/begin-nested.ts'),
    import('../../run/history-view/store-compaction.ts'),
    import('../../run/history-view/shrink.ts'),
    import('../../run/inner/inner-calls.ts'),
    import('../../run/calls/reconcile.ts'),
    import('../../run/resume.ts'),
    import('../../run/turn/tools-told.ts'),
    calls(),
  ]);
}
