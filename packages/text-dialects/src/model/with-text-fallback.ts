import { isUtensilError } from '@utensil/core';
import type { Model, ModelRequest } from '@utensil/core';
import { dialectsOf, withTextTools } from './with-text-tools.ts';
import type { TextToolsOptions } from './with-text-tools.ts';

/** Options of {@link withTextFallback}. */
export interface TextFallbackOptions extends TextToolsOptions {
  /**
   * Called once, when the server refuses tools, with the name of the dialect that the model is asked to write from then
   * on.
   */
  readonly onFallback?: (dialect: string) => void;
}

/**
 * Lets a model call tools as its API has it, and through text from the moment on at which its server says that the model
 * takes no tools: the turn that was refused is asked for again, and the run goes on. Dialect and options are those of
 * {@link withTextTools}.
 *
 * @example
 * ```ts
 * import { scriptedModel } from '@utensil/core/testing';
 * import { withTextFallback } from '@utensil/text-dialects';
 *
 * const inner = scriptedModel([{ text: 'I need no tool.' }]);
 * const model = withTextFallback(inner);
 * console.log(model.info.api === inner.info.api); // true, as long as nothing is refused
 * ```
 */
export function withTextFallback(
  model: Model,
  dialect?: Parameters<typeof withTextTools>[1],
  { onFallback, ...options }: TextFallbackOptions = {},
): Model {
  const inText = withTextTools(model, dialect, options);
  let current = model;
  return {
    get info() {
      return current.info;
    },
    async *stream(request, context) {
      const asked = current;
      let hasBegun = false;
      try {
        for await (const part of asked.stream(request, context)) {
          hasBegun = true;
          yield part;
        }
        return;
      } catch (error) {
        if (hasBegun || asked === inText || !saysNoTools(error, request)) throw error;
        if (current !== inText) onFallback?.(dialectsOf(dialect ?? 'auto', model.info.id)[0].name);
        current = inText;
      }
      yield* inText.stream(request, context);
    },
  };
}

/** The message of an error quotes the server, whatever its provider makes of it. */
function saysNoTools(error: unknown, { tools }: ModelRequest): boolean {
  if (isUtensilError(error, 'tools_unsupported')) return true;
  if (tools.length === 0 || !isUtensilError(error, ...refusals)) return false;
  return words.some((said) => said.test(error.message));
}

const refusals = ['model_request_invalid', 'model_not_found', 'model_failed'] as const;

/** Errors of Ollama, OpenRouter, vLLM and llama.cpp over the APIs of others, whose providers have no code for them. */
const words: readonly RegExp[] = [
  /does not support (?:tools|tool (?:use|calls?|calling)|function calling)/i,
  /no endpoints found that support tool use/i,
  /tool choice requires --enable-auto-tool-choice/i,
  /tools param requires --jinja|unsupported param: tools/i,
];
