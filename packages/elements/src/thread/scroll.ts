import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { Range, VirtualItem } from '@tanstack/virtual-core';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** What the scroller needs of its element. */
export interface ScrollHost extends ReactiveControllerHost {
  /** How many rows there are, and what each is called. */
  readonly rowCount: number;
  rowKey(index: number): string;
  /** What scrolls, once it is there. */
  readonly scroller: HTMLElement | null;
  /** Rows that stay in the page wherever it is scrolled to, such as the one with the focus. */
  readonly keptRows: readonly number[];
}

const estimate = 120; // pixels of a row that was not measured yet
const nearEnd = 48;

/** Which rows are in the page, and where. */
export class Scroll implements ReactiveController {
  readonly #host: ScrollHost;
  readonly #virtualizer: Virtualizer<HTMLElement, HTMLElement>;
  #unmount: (() => void) | undefined;
  #keys: (index: number) => string;
  #seenHeight = 0;
  #isUpdating = false;
  #hasChanged = false;

  constructor(host: ScrollHost) {
    this.#host = host;
    this.#keys = (index) => host.rowKey(index);
    this.#virtualizer = new Virtualizer(this.#options());
    // What is in a row renders itself a moment after it: rows above grow again, also while somebody scrolls up.
    this.#virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (row, _, { scrollOffset, itemSizeCache }) =>
      (itemSizeCache.has(row.key) ? row.end : row.start + 1) <= (scrollOffset ?? 0);
    host.addController(this);
  }

  /** The rows are others than before, or stand in another order. */
  renew(): void {
    this.#keys = (index) => this.#host.rowKey(index);
  }

  get items(): readonly VirtualItem[] {
    this.#virtualizer.setOptions(this.#options());
    return this.#virtualizer.getVirtualItems();
  }

  get height(): number {
    return this.#virtualizer.getTotalSize();
  }

  get isAtEnd(): boolean {
    return this.#virtualizer.isAtEnd(nearEnd);
  }

  /** Rows in the page, and whether the end is seen: all that a render depends on. */
  get state(): string {
    return `${this.items.map(({ index }) => index).join()} ${this.isAtEnd}`;
  }

  /** Measures or scrolls while the host updates, without another update; true if sizes or places of rows have changed. */
  duringUpdate(work: () => void): boolean {
    this.#isUpdating = true;
    this.#hasChanged = false;
    try {
      work();
    } finally {
      this.#isUpdating = false;
    }
    return this.#hasChanged;
  }

  measure(row: HTMLElement): void {
    this.#virtualizer.measureElement(row);
  }

  /** The rows stand where they belong, and what scrolls is as high as they are. */
  placed(): void {
    // oxlint-disable-next-line no-underscore-dangle -- what its adapters to frameworks call
    this.#virtualizer._willUpdate();
  }

  toStart(): void {
    this.#virtualizer.scrollToOffset(0);
  }

  toEnd(): void {
    this.#virtualizer.scrollToEnd();
  }

  to(index: number, align: 'start' | 'center' = 'start'): void {
    this.#virtualizer.scrollToIndex(index, { align });
  }

  hostConnected(): void {
    // oxlint-disable-next-line no-underscore-dangle -- what its adapters to frameworks call
    this.#unmount = this.#virtualizer._didMount();
  }

  hostDisconnected(): void {
    this.#unmount?.();
  }

  #options(): ConstructorParameters<typeof Virtualizer<HTMLElement, HTMLElement>>[0] {
    return {
      count: this.#host.rowCount,
      getScrollElement: () => this.#host.scroller,
      getItemKey: this.#keys,
      estimateSize: () => estimate,
      overscan: 3,
      paddingStart: 16,
      paddingEnd: 16,
      anchorTo: 'end',
      followOnAppend: true,
      scrollEndThreshold: nearEnd,
      rangeExtractor: this.#range,
      observeElementRect: (virtualizer, resized) =>
        observeElementRect(virtualizer, (rect) => {
          resized(rect);
          this.#followResize(rect.height);
        }),
      observeElementOffset,
      scrollToFn: elementScroll,
      onChange: () => {
        if (this.#isUpdating) this.#hasChanged = true;
        else this.#host.requestUpdate();
      },
    };
  }

  /** Whoever was at the end stays there, as when a composer below grows. */
  #followResize(height: number): void {
    const before = this.#seenHeight;
    this.#seenHeight = height;
    const top = this.#host.scroller?.scrollTop ?? 0;
    if (height >= before || this.height - top - before > nearEnd) return;
    requestAnimationFrame(() => {
      this.toEnd();
      this.#host.requestUpdate();
    });
  }

  readonly #range = ({ startIndex, endIndex, overscan, count }: Range): number[] => {
    const first = Math.max(0, startIndex - overscan);
    const last = Math.min(count - 1, endIndex + overscan);
    const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
    const kept = this.#host.keptRows.filter((index) => index < count && (index < first || index > last));
    return [...rows, ...kept].sort((a, b) => a - b);
  };
}
