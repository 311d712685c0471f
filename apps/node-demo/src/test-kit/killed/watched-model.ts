import type { Model, ModelPart } from '@utensil/core';
import { labelOf, type Reached } from './boundaries.ts';

/** A model with a boundary on either side of each request, whose end is that of its stream, and of each part that the run takes. */
export function watchedModel(model: Model, at: Reached): Model {
  return {
    ...model,
    async *stream(request, options) {
      const { id } = model.info;
      at(`before model.request(${id})`);
      for await (const part of model.stream(request, options)) {
        const what = `model.part(${subjectOf(part)})`;
        at(`before ${what}`);
        yield part;
        at(`after ${what}`); // the run asks for the next one
      }
      at(`after model.request(${id})`);
    },
  };
}

function subjectOf(part: ModelPart): string {
  return part.type === 'tool-call' ? `${part.type} ${labelOf(part.callId)}` : part.type;
}
