/** Maps items through async work with bounded concurrency. Results keep the order of the items. */
export async function* inParallel<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const started: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    result.catch(() => {}); // a rejection surfaces when its item's turn comes
    started.push(result);
    const [first] = started.length < atOnce ? [] : started.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const result of started) yield await result;
}
