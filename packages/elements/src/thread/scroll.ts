import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { Range, VirtualItem } from '@tanstack/virtual-core';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Requirements on the host element. */
export interface ScrollHost extends ReactiveControllerHost {
  /** Number of rows, and the key of each. */
  readonly rowCount: number;
  rowKey(index: number): string;
  /** The scroll container, once rendered. */
  readonly scroller: HTMLElement | null;
  /** Rows that stay in the page at any scroll position, such as the focused one. */
  readonly keptRows: readonly number[];
}

const estimate = 120; // pixels of an unmeasured row
const nearEnd = 48;

/** Virtual scrolling: the rows in the page and their positions. */
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
    // Content of a row renders a moment later, so rows above keep growing, even while scrolling up.
    this.#virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (row, _, { scrollOffset, itemSizeCache }) =>
      (itemSizeCache.has(row.key) ? row.end : row.start + 1) <= (scrollOffset ?? 0);
    host.addController(this);
  }

  /** Resets after rows have changed or moved. */
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

  /** Rendered rows, and whether the end is visible: everything that a render depends on. */
  get state(): string {
    return `${this.items.map(({ index }) => index).join()} ${this.isAtEnd}`;
  }

  /**
   * Measures or scrolls during an update without triggering another one. Returns true if sizes or positions have
   * changed.
   */
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

  /** Called once rows are positioned and the container has its height. */
  placed(): void {
    // oxlint-disable-next-line no-underscore-dangle -- the method for framework adapters
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
    // oxlint-disable-next-line no-underscore-dangle -- the method for framework adapters
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

  /** Stays at the end after a resize, as when a composer below grows. */
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
