import { noChange } from 'lit';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';
import type { DirectiveResult } from 'lit/directive.js';

/** A text with the remaining time, and its end. */
export interface Countdown {
  /** Milliseconds since 1970. */
  readonly until: number;
  /** In milliseconds. */
  text(left: number): string;
}

/** Updates only its own text, once per second. */
class CountdownDirective extends AsyncDirective {
  #countdown: Countdown | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  override render(countdown: Countdown): unknown {
    this.#countdown = countdown;
    clearTimeout(this.#timer);
    return this.isConnected ? this.#now(countdown) : noChange;
  }

  override disconnected(): void {
    clearTimeout(this.#timer);
  }

  override reconnected(): void {
    this.#renew();
  }

  #now({ until, text }: Countdown): string {
    const left = Math.max(0, until - Date.now());
    if (left > 0) this.#timer = setTimeout(() => this.#renew(), left % 1_000 || 1_000);
    return text(left);
  }

  #renew(): void {
    if (this.#countdown !== undefined) this.setValue(this.#now(this.#countdown));
  }
}

/** Directive for a countdown in a template. */
export const countdown: (countdown: Countdown) => DirectiveResult = directive(CountdownDirective);
