import { outsideContent, seenBy } from '@utensil/core/files';
import { page } from './carriers.ts';
import { order } from './orders.ts';
import type { Step } from './perform.ts';

/** Everyday tasks, which need no question if the user has allowed the tools. */
export interface Task {
  readonly name: string;
  readonly steps: readonly Step[];
}

const create = (path: string, text: string) => order('filesystem', { command: 'create', path, file_text: text });
const read = (path: string) => order('read_files', { paths: [path], project: 'app' });
const remember = (text: string) => order('memory', { command: 'create', path: '/memories/README.md', file_text: text });
const remove = (path: string) => order('delete_files', { paths: [path], project: 'app' });
const write = (path: string, content: string) => order('write_file', { path, content, project: 'app' });

export const tasks: readonly Task[] = [
  { name: 'reads a page', steps: page('News.') },
  { name: 'reads a page and notes what it says', steps: page(create('/notes/news.md', 'News.')) },
  {
    name: 'reads a page, notes it, and goes on with the note',
    steps: [...page(create('/notes/n.md', 'News.')), { user: read('/notes/n.md') }],
  },
  { name: 'reads a page and remembers what it says', steps: [...page(remember('News.')), { user: 'Hello.' }] },
  {
    name: 'reads mail and edits a file',
    steps: [
      ({ files }) => files.write('/a.md', 'one'),
      {
        user: `${order('read_mail', {})} ${order('edit_file', { path: 'a.md', old_text: 'one', new_text: 'two', project: 'app' })}`,
      },
    ],
  },
  {
    name: 'deletes a file in a clean run',
    steps: [({ files }) => files.write('/a.md', 'a'), { user: remove('a.md') }],
  },
  {
    name: 'overwrites a file in a clean run',
    steps: [({ files }) => files.write('/a.md', 'a'), { user: write('a.md', 'b') }],
  },
  {
    name: 'runs a script',
    steps: [{ user: order('javascript', { code: "await fs.writeFile('/a.txt', '42'); return 42" }) }],
  },
  {
    name: 'deletes a file in a project that has outside content which it does not read',
    steps: [
      ...page(create('/notes/news.md', 'News.')),
      ({ files }) => files.write('/a.md', 'a'),
      { user: `${read('/a.md')} ${remove('a.md')}` },
    ],
  },
  {
    name: 'lists a project that has outside content, and deletes a file',
    steps: [
      ...page(create('/notes/news.md', 'News.')),
      ({ files }) => files.write('/a.md', 'a'),
      { user: `${order('list_files', { project: 'app' })} ${remove('a.md')}` },
    ],
  },
  {
    name: 'runs a script in a project that has outside content',
    steps: [...page(create('/notes/news.md', 'News.')), { user: order('javascript', { code: 'return 6 * 7' }) }],
  },
  {
    name: 'reads a file that a person has written anew, and deletes another',
    steps: [
      ...page(create('/notes/news.md', 'News.')),
      ({ files }) => files.write('/notes/news.md', 'My own words.'),
      ({ files }) => files.write('/a.md', 'a'),
      { user: `${read('/notes/news.md')} ${remove('a.md')}` },
    ],
  },
  {
    name: 'has an agent look for something',
    steps: [
      ({ files }) => files.write('/a.md', 'a'),
      { user: order('spawn_agent', { task: read('/a.md'), mode: 'read_only' }) },
    ],
  },
  {
    name: 'has an agent write something',
    steps: [{ user: order('spawn_agent', { task: create('/sharerw/a.md', 'a'), mode: 'default' }) }],
  },
  {
    name: 'writes a skill in a clean run',
    steps: [{ user: create('/skills/s/SKILL.md', 'How to.') }, { user: order('read_skill', { name: 's' }) }],
  },
  {
    name: 'writes a library in a clean run, and uses it',
    steps: [{ user: create('/lib/a.js', 'globalThis.a = 1') }, { user: order('javascript', { code: 'return a' }) }],
  },
  {
    name: 'names a chat, and lists the chats',
    steps: [
      { user: order('update_chat_metadata', { title: 'Bread' }), thread: 't' },
      { user: `${order('list_recent_chats', {})} ${order('javascript', { code: 'return 1' })}` },
    ],
  },
  {
    name: 'moves files about',
    steps: [
      ({ files }) => files.write('/a.md', 'a'),
      { user: order('move', { from: 'a.md', to: 'b/c.md', project: 'app' }) },
    ],
  },
  {
    name: 'looks at an upload, and notes what is in it',
    steps: [
      ({ files }) => seenBy(files, outsideContent('an upload')).write('/upload.md', 'Figures.'),
      { user: `${read('/upload.md')} ${create('/notes/figures.md', 'Figures.')}` },
    ],
  },
  {
    name: 'goes on with a thread',
    steps: [
      { user: read('/precious.md'), thread: 't' },
      { user: order('javascript', { code: 'return 1' }), thread: 't' },
    ],
  },
];
