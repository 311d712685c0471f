import type { Scheduler } from 'fast-check';
import { textOf } from '../../model/message.ts';
import { resume, run } from '../../run/lazy-run.ts';
import { messagesOf } from '../../thread/messages.ts';
import type { Thread } from '../../thread/thread.ts';
import { until } from '../runs.ts';
import { createProgram } from './program.ts';
import type { Program } from './program.ts';
import { createScene } from './scene.ts';
import type { Defect, Race, Scene } from './scene.ts';
import { vandalize } from './vandal.ts';

/** Two programs compete for a thread while a third damages its records; then another finishes the rest. Returns the violations. */
export async function complaintsAbout(
  scheduler: Scheduler,
  race: Race,
  defect: Defect = () => ({}),
): Promise<readonly string[]> {
  const scene = createScene({ scheduler, race, defect });
  await begin(createProgram(scene, 'beginning'), race);
  const programs = [createProgram(scene, 'one', 0), createProgram(scene, 'two', 1)] as const;
  const plays = programs.map((each, index) => each.play(race.plans[index] ?? []));
  await scheduler.waitFor(Promise.all([...plays, vandalize(scene)]));
  scene.isOver = true;
  await finish(scene, createProgram(scene, 'last'));
  return scene.complaints;
}

/** One call is made, and the user is asked about another one. */
async function begin({ thread, options }: Program, { isAsked }: Race): Promise<void> {
  const message = { id: 'go', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 0 } as const;
  await thread.append([{ type: 'message', message }]);
  if (!isAsked) return;
  const asking = resume(options());
  await until(asking, 'approval-request');
  asking.stop();
  await asking.result;
}

/** A third program resumes the thread, finishes it, and checks it. */
async function finish(scene: Scene, { thread, options }: Program): Promise<void> {
  const { complaints, acknowledged, effects, fences, wasDeleted } = scene;
  const isBack = wasDeleted && (await textsIn(thread)).includes('Go.');
  const ending = wasDeleted ? run({ ...options(), messages: 'Once more.' }) : resume(options());
  for await (const event of ending.events()) {
    if (event.type === 'approval-request') ending.answer(event.questionId, 'once');
    if (event.type === 'recovery-request') ending.answer(event.questionId, 'accept');
  }
  const { status, error } = await ending.result;
  if (status !== 'complete') complaints.push(`nobody can finish: ${error?.message ?? status}`);
  if (isBack) complaints.push('what was deleted is there again');
  if (wasDeleted) return;
  const texts = await textsIn(thread);
  complaints.push(...acknowledged.filter((each) => !texts.includes(each)).map((each) => `lost: ${each}`));
  complaints.push(
    ...repeated(texts.filter((each) => acknowledged.includes(each))).map((each) => `there twice: ${each}`),
  );
  complaints.push(...repeated(effects).map((each) => `done twice: ${each}`));
  if (scene.answers > 1) complaints.push('answered twice');
  const inOrder = [...fences].sort(([one], [other]) => one - other).map(([, fence]) => fence);
  if (inOrder.some((fence, index) => fence < (inOrder[index - 1] ?? 0))) complaints.push('two owners at once');
}

const textsIn = async (thread: Thread): Promise<readonly string[]> =>
  (await messagesOf(thread)).map(({ parts }) => textOf(parts));

const repeated = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);
