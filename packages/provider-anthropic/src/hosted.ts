import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { WireSettings } from '@utensil/core/provider';
import { settings } from './settings.ts';
import { withEndMark } from './turns.ts';

const { serviceTier: _, ...others } = settings;

/** Settings that other hosts take: tiers are Anthropic's own. */
export const hostedSettings: WireSettings = others;

/** Other hosts do not mark the end of a request for the cache by themselves: its last block has the mark. */
export function markedByHand({
  cache_control: mark,
  ...body
}: MessageCreateParamsStreaming): MessageCreateParamsStreaming {
  return mark == null ? body : { ...body, messages: withEndMark(body.messages) };
}
