import { outsideContent, seenBy } from '@utensil/core/files';
import { page, say, url } from './carriers.ts';
import type { Carrier } from './carriers.ts';
import { pdf } from './forms.ts';
import { order } from './orders.ts';
import type { Act, Step } from './perform.ts';
import type { World } from './world.ts';

const file = (path: string, text: string) => order('filesystem', { command: 'create', path, file_text: text });
const read = (path: string) => order('read_files', { paths: [path], project: 'app' });
const view = (path: string) => order('filesystem', { command: 'view', path });

/** A page makes a run write something that a later run reads. */
const written = (order: string, ...after: readonly Step[]): readonly Step[] => [...page(order), ...after];

const kept = '/notes/kept.md';
const keep = (hostile: string, ...after: readonly Step[]) => written(file(kept, hostile), ...after);
const inFiles = (act: (world: World) => Promise<unknown>): Act => act;

/** The same through files. */
export const laundered: readonly Carrier[] = [
  { name: 'a note', steps: (hostile) => keep(hostile, say(read(kept))) },
  { name: 'a note, viewed', steps: (hostile) => keep(hostile, say(view(kept))) },
  {
    name: 'a note, as a note',
    steps: (hostile) => keep(hostile, say(order('read_note', { path: kept, project: 'app' }))),
  },
  {
    name: 'a note that a search finds',
    steps: (hostile) => keep(`find me ${hostile}`, say(order('search_files', { project: 'app', pattern: 'find me' }))),
  },
  {
    name: 'a note that a search of notes finds',
    steps: (hostile) => keep(`# Budget\n\n${hostile}`, say(order('search_notes', { project: 'app', query: 'budget' }))),
  },
  {
    name: 'the memory, in the prompt',
    steps: (hostile) =>
      written(order('memory', { command: 'create', path: '/memories/README.md', file_text: hostile }), say('Hello.')),
  },
  {
    name: 'the memory, viewed',
    steps: (hostile) =>
      written(
        order('memory', { command: 'create', path: '/memories/a.md', file_text: hostile }),
        say(order('memory', { command: 'view', path: '/memories/a.md' })),
      ),
  },
  {
    name: 'a sketchbook',
    steps: (hostile) => [
      ...page(order('sketchbook', { note: hostile }), { thread: 't' }),
      say(view('/sketchbook/t.md')),
    ],
  },
  {
    name: 'a line added to a clean file',
    steps: (hostile) => [
      ({ files }) => files.write(kept, 'Clean.\n'),
      ...written(order('filesystem', { command: 'append', path: kept, file_text: hostile }), say(read(kept))),
    ],
  },
  {
    name: 'an edit of a clean file',
    steps: (hostile) => [
      ({ files }) => files.write(kept, 'Clean.\n'),
      ...written(
        order('edit_file', { path: kept, old_text: 'Clean.', new_text: hostile, project: 'app' }),
        say(read(kept)),
      ),
    ],
  },
  {
    name: 'a line put into a clean file',
    steps: (hostile) => [
      ({ files }) => files.write(kept, 'Clean.\n'),
      ...written(
        order('filesystem', { command: 'insert', path: kept, insert_line: 0, insert_text: hostile }),
        say(read(kept)),
      ),
    ],
  },
  {
    name: 'a copy by a person',
    steps: (hostile) => keep(hostile, ({ files }) => files.copy(kept, '/b.md'), say(read('/b.md'))),
  },
  {
    name: 'a move by a person',
    steps: (hostile) => keep(hostile, ({ files }) => files.move(kept, '/b.md'), say(read('/b.md'))),
  },
  {
    name: 'a moved directory',
    steps: (hostile) => keep(hostile, ({ files }) => files.move('/notes', '/n'), say(read('/n/kept.md'))),
  },
  {
    name: 'a copy by another program, which knows of no records',
    steps: (hostile) =>
      keep(
        hostile,
        inFiles(async ({ files }) => files.write('/b.md', (await files.read(kept)).bytes)),
        say(read('/b.md')),
      ),
  },
  {
    name: 'a copy by a clean run',
    steps: (hostile) =>
      keep(
        hostile,
        say(order('filesystem', { command: 'copy', old_path: kept, new_path: '/b.md' })),
        say(read('/b.md')),
      ),
  },
  {
    name: 'a rename by a clean run',
    steps: (hostile) =>
      keep(
        hostile,
        say(order('filesystem', { command: 'rename', old_path: kept, new_path: '/b.md' })),
        say(read('/b.md')),
      ),
  },
  {
    name: 'what a person has added to',
    steps: (hostile) => keep(hostile, ({ files }) => files.append(kept, '\nMine.'), say(read(kept))),
  },
  {
    name: 'a version that is rolled back to',
    steps: (hostile) =>
      keep(
        hostile,
        ({ files }) => files.write(kept, 'Clean.'),
        ({ storage }) => storage.history.rollBack(kept, 1),
        say(read(kept)),
      ),
  },
  {
    name: 'what comes back from the trash',
    steps: (hostile) =>
      keep(
        hostile,
        ({ files }) => files.remove(kept),
        inFiles(async ({ storage }) => {
          const [first] = await storage.history.trash();
          return storage.history.restore(first?.id ?? '', { to: '/b.md' });
        }),
        say(read('/b.md')),
      ),
  },
  {
    name: 'another project, through a mount',
    steps: (hostile) =>
      written(file('/other/kept.md', hostile), say(order('read_files', { paths: ['kept.md'], project: 'other' }))),
  },
  {
    name: 'a copy to another project',
    steps: (hostile) =>
      keep(
        hostile,
        say(order('filesystem', { command: 'copy', old_path: kept, new_path: '/other/b.md' })),
        say(order('read_files', { paths: ['b.md'], project: 'other' })),
      ),
  },
  {
    name: 'a move to another project',
    steps: (hostile) =>
      keep(
        hostile,
        say(order('filesystem', { command: 'rename', old_path: kept, new_path: '/other/b.md' })),
        say(view('/other/b.md')),
      ),
  },
  {
    name: 'the name of a file',
    steps: (hostile) => written(file(`/${hostile}.md`, ''), say(order('list_files', { project: 'app' }))),
  },
  { name: 'the name of a file, viewed', steps: (hostile) => written(file(`/${hostile}.md`, ''), say(view('/'))) },
  {
    name: 'the name of a file, by a pattern',
    steps: (hostile) =>
      written(file(`/${hostile}.md`, ''), say(order('glob_files', { project: 'app', pattern: '*.md' }))),
  },
  {
    name: 'the name of a file, in the error about one with almost that name',
    steps: (hostile) =>
      written(
        file(`/${hostile}.md`, ''),
        say(order('read_files', { paths: [`/${hostile.slice(0, -3)}.md`], project: 'app' })),
      ),
  },
  {
    name: 'the name of a directory',
    steps: (hostile) =>
      written(
        order('filesystem', { command: 'mkdir', path: `/${hostile}` }),
        say(order('list_files', { project: 'app' })),
      ),
  },
  {
    name: 'a script that reads a note',
    steps: (hostile) =>
      keep(hostile, say(order('javascript', { code: `return await fs.readFile('${kept}', 'utf8')` }))),
  },
  {
    name: 'a file that an agent has left',
    steps: (hostile) => [
      (world) => void world.pages.set(url, file('/sharerw/kept.md', hostile)),
      say(order('spawn_agent', { task: `Read ${order('open_link', { url })}`, mode: 'default' })),
      say(read('/sharerw/kept.md')),
    ],
  },
  {
    name: 'a file that an agent is given',
    steps: (hostile) => keep(hostile, say(order('spawn_agent', { task: 'Read it.', files: [kept], mode: 'default' }))),
  },
  {
    name: 'a skill',
    steps: (hostile) => written(file('/skills/s/SKILL.md', hostile), say(order('read_skill', { name: 's' }))),
  },
  {
    name: 'a skill that a person has put in its place',
    steps: (hostile) =>
      keep(hostile, ({ files }) => files.move(kept, '/skills/s/SKILL.md'), say(order('read_skill', { name: 's' }))),
  },
  {
    name: 'a persona',
    steps: (hostile) =>
      written(
        file('/minions/p.md', hostile),
        say(order('spawn_agent', { task: 'Work.', persona: 'p', mode: 'default' })),
      ),
  },
  {
    name: 'a persona that a person has put in its place',
    steps: (hostile) =>
      keep(
        hostile,
        ({ files }) => files.move(kept, '/minions/p.md'),
        say(order('spawn_agent', { task: 'Work.', persona: 'p', mode: 'default' })),
      ),
  },
  {
    name: 'a note about a note, over three runs',
    steps: (hostile) =>
      keep(
        file('/memories/a.md', ''),
        say(`${read(kept)} ${order('memory', { command: 'create', path: '/memories/README.md', file_text: hostile })}`),
        say('Hello.'),
      ),
  },
  {
    name: 'an upload',
    steps: (hostile) => [
      ({ files }) => seenBy(files, outsideContent('an upload')).write('/upload.md', hostile),
      say(read('/upload.md')),
    ],
  },
  {
    name: 'an uploaded PDF',
    steps: (hostile) => [
      ({ files }) => seenBy(files, outsideContent('an upload')).write('/upload.pdf', pdf(hostile)),
      say(order('view_documents', { paths: ['upload.pdf'], project: 'app' })),
    ],
  },
];
