import { noUsage, run } from '@utensil/core';
import type { Model, ModelPart } from '@utensil/core';
import { callAt, indices, question } from '../run-loop/work.ts';
import { assertDone } from './measurement.ts';
import type { Measure } from './measurement.ts';
import { playingModel, toolsetOf } from './work.ts';

/** Shape of a run: its calls are in separate steps, or all in one turn. */
export type Shape = 'steps' | 'one turn';

/** Ratio of the longer run's calls to the shorter run's. */
const times = 4;

/** Cost of a call in a run, and in one with four times as many calls: equal if the cost is linear. */
export function growth(shape: Shape, most: number): Measure {
  return async ({ calls }) => {
    const share = Math.ceil((most * calls) / 200 / times);
    const many = share * times;
    await play(share);
    const few = await play(share);
    const all = await play(many);
    return {
      calls: many,
      [`CPU ms a call, with 1/${times} of them`]: few,
      'CPU ms a call': all,
      'grows by ×': all / few,
    };
  };

  async function play(count: number): Promise<number> {
    let executed = 0;
    const toolset = toolsetOf(() => ++executed);
    const model = shape === 'steps' ? playingModel({ calls: count }) : turnOf(count);
    const before = process.cpuUsage();
    const { status } = await run({ model, toolset, messages: question, limits: { steps: count + 1 } }).result;
    const { user, system } = process.cpuUsage(before);
    assertDone('calls', status === 'complete' ? executed : 0, count);
    return (user + system) / 1000 / count;
  }
}

/** A model that makes all calls in its first turn. */
function turnOf(count: number): Model {
  let turns = 0;
  function* parts(): Generator<ModelPart> {
    if (turns++ > 0) yield { type: 'text-delta', text: 'Done.' };
    else
      for (const step of indices(count)) {
        const { callId, name, text } = callAt(step, { tools: 1 });
        yield { type: 'tool-call', callId, name, input: JSON.parse(text), executedBy: 'us' };
      }
    yield { type: 'finish', reason: turns > 1 ? 'stop' : 'tool-calls', usage: noUsage };
  }
  return {
    info: { api: 'text', id: 'many' },
    async *stream() {
      yield* parts();
    },
  };
}
