import type { Message, Part } from '../message.ts';
import type { ModelPart } from '../model.ts';

/** Whether a part brings what anybody may have written: a result from outside, or what a vendor's server has found. */
export function isFromOutside(part: Part | ModelPart): boolean {
  if (part.type === 'tool-result') return part.openWorld === true;
  return part.type === 'source' || (part.type === 'tool-call' && part.executedBy === 'provider');
}

/** Whether a history has something from the world outside. */
export function isTainted(messages: readonly Message[]): boolean {
  return messages.some(({ parts }) => parts.some(isFromOutside));
}
