import type { ReactElement } from 'react';

const examples = [
  ['Make a note', 'write notes/todo.md: buy milk then list notes then read notes/todo.md'],
  ['Remember something', 'remember likes: short answers then recall'],
  ['See what can be done', 'help'],
] as const;

/** What an empty conversation proposes. */
export function Beginning({ onChoose }: { onChoose(text: string): void }): ReactElement {
  return (
    <section className="beginning" aria-labelledby="beginning">
      <img src="/icon.svg" alt="" width="44" height="44" />
      <h2 id="beginning">Tools, on your own files, in your own browser</h2>
      <p>
        Nothing is installed and nothing leaves this page, unless you choose a model that is elsewhere. Without one, the
        page understands simple commands, and makes real tool calls of them. Try one:
      </p>
      <ul>
        {examples.map(([title, text]) => (
          <li key={title}>
            <button type="button" onClick={() => onChoose(text)}>
              <strong>{title}</strong>
              <span>{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
