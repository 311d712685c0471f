/** Does work on each item, so many at once; gives what comes of it in the order of the items. */
export async function* inParallel<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const started: Promise<Result>[] = [];
  for await (const item of items) {
    const result = work(item);
    result.catch(() => {}); // thrown when its turn comes, if it comes
    started.push(result);
    const [first] = started.length < atOnce ? [] : started.splice(0, 1);
    if (first !== undefined) yield await first;
  }
  for (const result of started) yield await result;
}
