import { isEnabled, isVisible, readOptions, settingsOf, withEnabled, withInstructions } from '@utensil/core/settings';
import type { Tool } from '@utensil/core';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { icon, toolIcon } from '../value/icons.ts';
import { shown } from '../value/shown.ts';
import { optionField } from './option-field.ts';
import type { SettingsView } from './view.ts';

/** A tool with its switch and, if it is enabled, its options. */
export function toolRow(tool: Tool, view: SettingsView): TemplateResult {
  const isOn = isEnabled(view.settings, tool);
  const id = `tool-${tool.name}`;
  const reason = view.reason(tool);
  return html`<li class="tool" part="tool">
    <div class="line">
      ${toolIcon(tool.ui?.icon, tool.ui?.category)}
      <div class="words">
        <label for=${id}>${shown(tool.title ?? tool.name)}</label>
        ${view.isNew(tool) ? html`<span class="badge">${view.texts.isNew}</span>` : nothing}
        <div class="about" id="${id}-about">
          ${tool.ui?.subtitle === undefined ? nothing : shown(tool.ui.subtitle)}
          ${
            reason === undefined
              ? nothing
              : html`<div class="unavailable">${icon('warning')} ${view.texts.unavailable} ${shown(reason)}</div>`
          }
        </div>
      </div>
      <input
        type="checkbox"
        role="switch"
        class="switch"
        id=${id}
        aria-describedby="${id}-about"
        .checked=${live(isOn)}
        ?disabled=${view.isBusy}
        @change=${(event: Event) => {
          const { checked } = event.target as HTMLInputElement;
          view.change((settings) => withEnabled(settings, tool, checked));
        }}
      />
    </div>
    ${isOn && !view.isCompact ? choices(tool, view) : nothing}
  </li>`;
}

function choices(tool: Tool, view: SettingsView): TemplateResult | typeof nothing {
  const { options: definitions = {} } = tool;
  const { options: stored = {} } = settingsOf(view.settings, tool);
  const values = readOptions(definitions, stored);
  const fields = Object.entries(definitions).map(([id, definition], index) =>
    isVisible(definition, values)
      ? optionField({
          tool,
          id,
          definition,
          value: values[id],
          isChosen:
            definition.kind !== 'secret' &&
            Object.hasOwn(stored, id) &&
            JSON.stringify(stored[id]) !== JSON.stringify(definition.default),
          domId: `option-${tool.name}-${index}`,
          view,
        })
      : nothing,
  );
  return html`<div class="options">${fields} ${instructions(tool, view)}</div>`;
}

function instructions(tool: Tool, view: SettingsView): TemplateResult {
  const { instructions: own } = settingsOf(view.settings, tool);
  const title = tool.title ?? tool.name;
  const id = `instructions-${tool.name}`;
  const isOpen = view.isOpen(id, false);
  const set = (text: string | undefined): void => view.change((settings) => withInstructions(settings, tool, text));
  const authors = typeof tool.prompt === 'string' ? tool.prompt : '';
  return html`<div class="instructions">
    <button
      class="plain opener"
      aria-expanded=${isOpen}
      aria-label="${view.texts.instructions}: ${title}"
      @click=${() => view.setOpen(id, !isOpen)}
    >
      ${icon('chevron')} ${view.texts.instructions}
    </button>
    ${
      isOpen
        ? html`<div class="option boolean">
              <input
                type="checkbox"
                id="${id}-own"
                aria-describedby="${id}-about"
                .checked=${live(own !== undefined)}
                ?disabled=${view.isBusy}
                @change=${(event: Event) => set((event.target as HTMLInputElement).checked ? authors : undefined)}
              />
              <div>
                <label for="${id}-own">${view.texts.ownInstructions}</label>
                <div class="about" id="${id}-about">${view.texts.instructionsHint}</div>
              </div>
            </div>
            ${
              own === undefined
                ? nothing
                : html`<textarea
                    id=${id}
                    rows="5"
                    aria-label=${view.texts.instructionsOf(title)}
                    ?disabled=${view.isBusy}
                    .value=${live(own)}
                    @input=${(event: Event) => set((event.target as HTMLTextAreaElement).value)}
                  ></textarea>`
            }`
        : nothing
    }
  </div>`;
}
