import type { Model } from '@utensil/core';
import { modelError, modelInfo, modelOver, noTools, takenBy } from '@utensil/core/provider';
import { classifyError, noApi, noModel } from './errors.ts';
import { toPrompts } from './messages.ts';
import type { BrowserInput } from './messages.ts';
import { promptApiOfPage } from './prompt-api.ts';
import type { BrowserAvailability, CoreOptions, PromptApi } from './prompt-api.ts';
import { createSessions } from './sessions.ts';
import type { Sessions } from './sessions.ts';
import { settings } from './settings.ts';
import { askTurn, turnReader } from './turn.ts';

/** Options of {@link browserModel}. */
export interface BrowserModelOptions {
  /** Languages of questions and answers, as BCP 47 tags like `en`. Default: unspecified. */
  readonly languages?: readonly string[];
  /** Media that the model gets besides text. Default: none; images and recordings are described in words. */
  readonly inputs?: readonly BrowserInput[];
  /** Called with the progress, from 0 to 1, while the browser downloads its model, which it does once. */
  readonly onDownload?: (progress: number) => void;
  /** In tokens, for runs that compact a long history. Default: unknown; the browser says it of a session only. */
  readonly contextWindow?: number;
  /** The Prompt API. Default: `LanguageModel` of the page. */
  readonly languageModel?: PromptApi;
}

/** The wire format, as in `ModelInfo.api`, and the id of its only model: browsers do not say which it is. */
const api = 'prompt-api';
const modelId = 'browser';

/**
 * The language model that the browser brings, over its Prompt API. It takes no tools: wrap it in `withTextTools` of
 * `@utensil/text-dialects`, and it calls them in text.
 *
 * @example
 * ```ts
 * import { browserModel } from '@utensil/provider-browser';
 * import { withTextTools } from '@utensil/text-dialects';
 *
 * const model = withTextTools(browserModel({ languages: ['en'] }));
 * console.log(model.info.id); // browser
 * ```
 */
export function browserModel(options: BrowserModelOptions = {}): Model {
  const { inputs = [], onDownload, contextWindow, languageModel } = options;
  const core = coreOptions(options);
  let known: { readonly from: PromptApi; readonly sessions: Sessions } | undefined;

  function sessionsOf(from: PromptApi): Sessions {
    if (known?.from !== from) known = { from, sessions: createSessions(from, { ...core, onDownload }) };
    return known.sessions;
  }

  async function connect(): Promise<Sessions> {
    const promptApi = languageModel ?? promptApiOfPage();
    if (promptApi === undefined) throw modelError(noApi, { modelId });
    if ((await promptApi.availability(core)) === 'unavailable') throw modelError(noModel, { modelId });
    return sessionsOf(promptApi);
  }

  return modelOver({
    info: modelInfo(
      { api, id: modelId },
      { contextWindow, price: { input: 0, output: 0 } },
      { supports: { settings: takenBy(settings) } },
    ),
    words: {},
    connect,
    open(request, { client, signal }) {
      if (request.tools.length > 0 && request.toolChoice !== 'none') throw modelError(noTools, { modelId });
      const conversation = { system: request.system, prompts: toPrompts(request.messages, inputs) };
      return askTurn({ modelId, sessions: client, conversation, request, signal });
    },
    reader: turnReader,
    classifyError,
  });
}

/**
 * Availability of the browser's language model: `downloadable` before it is downloaded, `unavailable` if there is no
 * Prompt API.
 *
 * @example
 * ```ts
 * import { browserAvailability } from '@utensil/provider-browser';
 *
 * console.log(await browserAvailability()); // unavailable, as in Node.js
 * ```
 */
export async function browserAvailability(
  options: Pick<BrowserModelOptions, 'languages' | 'inputs' | 'languageModel'> = {},
): Promise<BrowserAvailability> {
  const promptApi = options.languageModel ?? promptApiOfPage();
  return promptApi === undefined ? 'unavailable' : promptApi.availability(coreOptions(options));
}

/** Omits values that nobody chose: a browser may have no model for an explicit wish that matches its default. */
function coreOptions({ languages, inputs = [] }: Pick<BrowserModelOptions, 'languages' | 'inputs'>): CoreOptions {
  const text = languages === undefined ? [] : [{ type: 'text', languages: [...languages] }];
  const expectedInputs = [...text, ...inputs.map((type) => ({ type }))];
  return {
    ...(expectedInputs.length > 0 && { expectedInputs }),
    ...(text.length > 0 && { expectedOutputs: text }),
  };
}
