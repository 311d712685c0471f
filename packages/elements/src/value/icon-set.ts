import {
  AlarmClock,
  ArrowDown,
  ArrowUp,
  BookOpen,
  Bot,
  Brain,
  CalendarDays,
  Calculator,
  Check,
  ChevronRight,
  CircleQuestionMark,
  Clock,
  Code,
  Dices,
  Ellipsis,
  File,
  FilePen,
  FileText,
  Flag,
  Folder,
  Folders,
  Globe,
  GraduationCap,
  Image,
  Keyboard,
  Link,
  LoaderCircle,
  MessageCircle,
  NotebookPen,
  Pencil,
  ScrollText,
  Search,
  StickyNote,
  Tag,
  Terminal,
  Trash2,
  TriangleAlert,
  Truck,
  User,
  Wrench,
  X,
} from 'lucide';
import type { IconNode } from 'lucide';

/** Icons of the elements. */
export const ownIcons = {
  check: Check,
  chevron: ChevronRight,
  cross: X,
  dots: Ellipsis,
  down: ArrowDown,
  person: User,
  ring: LoaderCircle,
  up: ArrowUp,
  warning: TriangleAlert,
  wrench: Wrench,
} as const satisfies Readonly<Record<string, IconNode>>;

/** Icons of tools, by their Lucide names. */
const named: Readonly<Record<string, IconNode>> = {
  'alarm-clock': AlarmClock,
  'book-open': BookOpen,
  bot: Bot,
  brain: Brain,
  calculator: Calculator,
  'calendar-days': CalendarDays,
  'circle-question-mark': CircleQuestionMark,
  clock: Clock,
  code: Code,
  dices: Dices,
  file: File,
  'file-pen': FilePen,
  'file-text': FileText,
  flag: Flag,
  folder: Folder,
  folders: Folders,
  globe: Globe,
  'graduation-cap': GraduationCap,
  image: Image,
  keyboard: Keyboard,
  link: Link,
  'message-circle': MessageCircle,
  'notebook-pen': NotebookPen,
  pencil: Pencil,
  'scroll-text': ScrollText,
  search: Search,
  'sticky-note': StickyNote,
  tag: Tag,
  terminal: Terminal,
  'trash-2': Trash2,
  truck: Truck,
  wrench: Wrench,
};

/** Icon names by emoji, which look alike on all machines. */
const byEmoji: Readonly<Record<string, string>> = {
  '⌨': 'keyboard',
  '⏰': 'alarm-clock',
  '✏': 'pencil',
  '❓': 'circle-question-mark',
  '🌍': 'globe',
  '🌐': 'globe',
  '🎓': 'graduation-cap',
  '🎲': 'dices',
  '🏁': 'flag',
  '🏷': 'tag',
  '💬': 'message-circle',
  '💻': 'terminal',
  '📁': 'folder',
  '📂': 'folder',
  '📄': 'file-text',
  '📅': 'calendar-days',
  '📓': 'notebook-pen',
  '📖': 'book-open',
  '📜': 'scroll-text',
  '📝': 'file-pen',
  '🔍': 'search',
  '🔎': 'search',
  '🔗': 'link',
  '🔧': 'wrench',
  '🕒': 'clock',
  '🖼': 'image',
  '🗂': 'folders',
  '🗃': 'folders',
  '🗑': 'trash-2',
  '🗒': 'sticky-note',
  '🚚': 'truck',
  '🤖': 'bot',
  '🧠': 'brain',
  '🧮': 'calculator',
};

/** Icon names by category, for tools without a displayable icon. */
const byCategory: Readonly<Record<string, string>> = {
  agents: 'bot',
  code: 'code',
  files: 'file',
  games: 'dices',
  memory: 'brain',
  notes: 'sticky-note',
  questions: 'circle-question-mark',
  skills: 'graduation-cap',
  time: 'clock',
  web: 'globe',
};

/** Icon with a name, or with the meaning of an emoji. */
export function iconOf(nameOrEmoji: string): IconNode | undefined {
  const name = lookUp(byEmoji, nameOrEmoji.replaceAll('\ufe0f', '')) ?? nameOrEmoji.toLowerCase();
  return lookUp(named, name);
}

/** Icon of a category; a wrench by default. */
export function iconOfCategory(category = ''): IconNode {
  return lookUp(named, lookUp(byCategory, category.toLowerCase()) ?? '') ?? Wrench;
}

function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
