import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { register, UtensilElement } from '../base/element.ts';
import { createMarkdownRenderer } from './render.ts';
import type { MarkdownRenderer } from './render.ts';
import { markdownStyles } from './styles.ts';

/** `<utensil-markdown>`: GitHub-flavored Markdown. HTML and scripts in it have no effect. */
export class UtensilMarkdown extends UtensilElement {
  static override properties: PropertyDeclarations = {
    text: { attribute: false },
    isStreaming: { attribute: false },
    loadImages: { type: Boolean, attribute: 'load-images' },
    loaded: { state: true },
  };

  static override styles: CSSResultGroup = [UtensilElement.styles, markdownStyles];

  declare text: string;
  /** True while the text is streaming: open constructs at its end are completed. */
  declare isStreaming: boolean;
  /** True to load external images without asking. The author of the text then learns that it is read. */
  declare loadImages: boolean;
  declare protected loaded: ReadonlySet<string>;
  readonly #render: MarkdownRenderer = createMarkdownRenderer();

  constructor() {
    super();
    this.text = '';
    this.isStreaming = false;
    this.loadImages = false;
    this.loaded = new Set();
  }

  override render(): TemplateResult {
    const loaded = this.loadImages ? 'all' : this.loaded;
    const { isStreaming, texts } = this;
    return this.#render(this.text, { texts: texts.markdown, isStreaming, loaded, load: (url) => this.#load(url) });
  }

  #load(url: string): void {
    if (this.tell('utensil-load-image', { url })) this.loaded = new Set([...this.loaded, url]);
  }
}

register('utensil-markdown', UtensilMarkdown);

declare global {
  interface HTMLElementTagNameMap {
    'utensil-markdown': UtensilMarkdown;
  }
}
