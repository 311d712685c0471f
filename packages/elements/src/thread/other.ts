import { messageOf } from '@utensil/core';
import { branchOf } from '@utensil/core/thread';
import type { Message, Question, Run, ThreadOwner } from '@utensil/core';
import { html, nothing } from 'lit';
import type { ReactiveController, ReactiveControllerHost, TemplateResult } from 'lit';
import { seen } from '../markdown/prose.ts';
import type { Texts } from '../texts/texts.ts';
import { icon } from '../value/icons.ts';
import { followThread, liveElsewhere } from '../view/index.ts';
import type { FollowedThread, FollowingThread, LiveRun, ThreadNews } from '../view/index.ts';

/** Another owner of a thread, such as another tab, from `thread.owner()`. */
export interface OtherOwner extends Pick<ThreadOwner, 'since'> {
  /** Its questions, from `openQuestions`. */
  readonly questions?: readonly Question[];
}

const nothingKnown: ThreadNews = { questions: [] };

/** Follows a thread for an element: its stored messages, and other owners. */
export class Other implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #changed: () => void;
  #thread: FollowedThread | undefined;
  #given: Run | undefined;
  #run: Run | undefined; // the run of this page, until it is over
  #following: FollowingThread | undefined;
  #isConnected = false;
  #news = nothingKnown;
  #messages: readonly Message[] = [];
  #live: { readonly of: readonly [readonly Message[], readonly Question[]]; readonly live: LiveRun } | undefined;

  /** `changed` is called when another owner appears or leaves. */
  constructor(host: ReactiveControllerHost, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
    host.addController(this);
  }

  /** Stored messages of the newest conversation. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get owner(): ThreadOwner | undefined {
    return this.#run === undefined ? this.#news.owner : undefined;
  }

  /** Error of reading the thread. */
  get problem(): unknown {
    return this.#news.problem;
  }

  /** The run of another owner, as far as these messages show it. */
  live(messages: readonly Message[], questions = this.#news.questions): LiveRun {
    const known = this.#live;
    if (known?.of[0] === messages && known.of[1] === questions) return known.live;
    const live = liveElsewhere({ messages, questions });
    this.#live = { of: [messages, questions], live };
    return live;
  }

  /** Starts to follow a thread. While `run` is running, its events suffice. */
  of(thread: FollowedThread | undefined, run: Run | undefined): void {
    if (run !== this.#given) this.#take(run);
    if (thread === this.#thread) return;
    this.#thread = thread;
    this.#messages = [];
    this.#news = nothingKnown;
    this.#start();
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.#start();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#following?.stop();
    this.#following = undefined;
  }

  #take(run: Run | undefined): void {
    this.#given = this.#run = run;
    const over = (): void => {
      if (this.#run !== run) return;
      this.#run = undefined;
      this.#following?.again();
    };
    void run?.result.then(over, over);
  }

  #start(): void {
    this.#following?.stop();
    this.#following = undefined;
    const thread = this.#thread;
    if (thread === undefined || !this.#isConnected) return;
    this.#following = followThread(thread, { hasRun: () => this.#run !== undefined, show: (news) => this.#show(news) });
  }

  #show(news: ThreadNews): void {
    const before = this.#news;
    this.#news = news;
    if (news.messages !== before.messages) this.#messages = branchOf(news.messages ?? []);
    if (news.owner?.runId !== before.owner?.runId) this.#changed();
    this.#host.requestUpdate();
  }
}

/** Notice of another owner or a read error. Its container always exists, so that screen readers announce it. */
export function otherView(
  { owner, problem }: { readonly owner: OtherOwner | undefined; readonly problem: unknown },
  texts: Texts,
): TemplateResult {
  return html`<div class="elsewhere" role="status">
    ${owner === undefined ? nothing : html`<p>${icon('ring')}<span>${ownerText(owner, texts)}</span></p>`}
    ${
      problem === undefined
        ? nothing
        : html`<p>
            ${icon('warning')}<span>${texts.thread.notRead} <bdi>${seen(messageOf(problem))}</bdi></span>
          </p>`
    }
  </div>`;
}

function ownerText({ since }: OtherOwner, { thread: texts, formats }: Texts): string {
  if (since === undefined || Number.isNaN(new Date(since).getTime())) return texts.elsewhere; // stored data may be anything
  const isToday = new Date(since).toDateString() === new Date().toDateString();
  return texts.elsewhereSince(isToday ? formats.timeOfDay(since) : formats.time(since));
}
